import type { Command } from "commander";
import type { CommandContext } from "./context.ts";

/** `login`. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  program
    .command("login")
    .description("Sign the running engine in to its account server, through the browser.")
    .option("--provider <slug>", "the provider to sign in with, such as google or github", "google")
    .option("--no-browser", "print the address instead of opening it")
    .action(async (options: { provider: string; browser: boolean }) => {
      const { runLogin } = await import("./login.ts");
      await using engine = await context.openEngine();
      const email = await runLogin(context, engine, options);
      context.out().entry({ email }, `Signed in as ${email ?? "unknown"}.`);
    });
}
