import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { CommandContext } from "./context.ts";
import { showCheck } from "./results.ts";
import { listSecretNames, type SetupOptions, settleAnswers } from "./setup/answers.ts";
import { listSecrets, requireLogin, requireZone } from "./setup/cloudflare.ts";
import { readProductionFile } from "./setup/read-production-file.ts";
import { collectSecrets } from "./setup/secrets.ts";
import { listSteps, type Plan, PRODUCTION_FILE, readFileText } from "./setup/steps.ts";

/** `setup workers`. */
export function addSetupCommands(program: Command, context: CommandContext): void {
  program
    .command("setup")
    .description("Deploy for the first time.")
    .command("workers")
    .description(
      `Deploy to Cloudflare Workers: write ${PRODUCTION_FILE}, store the secrets, create the tables, deploy, wait for /ready. ` +
        "It asks for what is missing; without a terminal it never asks. Run again, it changes nothing that is set, and " +
        "deploys this version. JWT_SECRET_KEY and TOKEN_ENCRYPTION_KEY are generated. Other secrets are asked for, or come on " +
        'standard input as JSON: {"OIDC_PROVIDER_CLIENT_SECRET": "..."}; your own keys, too.',
    )
    .option("--domain <host>", "the public domain, in a zone of your Cloudflare account")
    .option("--ui <url>", "where browsers return after sign-in")
    .option("--database <kind>", "d1 (Cloudflare's) or libsql (such as Turso)")
    .option("--database-url <url>", "with libsql: the https address of the server")
    .option("--database-name <name>", "with d1: its name (roundhouse-signin)")
    .option("--oidc-client-id <id>", "the client at the OpenID Connect provider (Google)")
    .option("--oauth-client-id <id>", "the client at the OAuth 2.0 provider (GitHub)")
    .option("--mail-from <address>", "the sender of mails; without it the server sends none")
    .option("--mail-http-format <name>", "resend (default), postmark, sendgrid or mailgun")
    .option("--mail-http-url <url>", "its address, if it has several")
    .option("--name <name>", "the name of the Worker (roundhouse-signin)")
    .option("--dry-run", "print each command without running it; needs no login")
    .option("--yes", "deploy without confirmation; required without a terminal")
    .action((options: SetupOptions) => runSetup(context, options));
}

async function runSetup(context: CommandContext, options: SetupOptions): Promise<void> {
  const { terminal, env } = context;
  const out = context.out();
  const isDryRun = options.dryRun === true;
  const account = isDryRun ? undefined : await requireLogin(context);
  if (account !== undefined) showCheck(out, { check: "login", ok: true, detail: account });
  const fileText = await readFileText(context.folder);
  const file = fileText === undefined ? undefined : readProductionFile(fileText);
  const answers = await settleAnswers({ options, file, terminal });
  const plan: Plan = { context, answers, fileText, secrets: {}, present: [] };
  if (isDryRun) return showSteps(context, plan);
  const zone = await requireZone(context, answers.host);
  const detail = zone ?? "not checked: the login cannot list zones";
  showCheck(out, { check: "zone", ok: true, detail });
  const present = await listSecrets(context, answers.worker);
  const needed = listSecretNames(answers.variables, answers.database);
  const secrets = await collectSecrets({ needed, present }, terminal, env);
  await runSteps({ ...plan, secrets, present }, options.yes === true);
}

function showSteps({ out }: CommandContext, plan: Plan): void {
  const output = out();
  for (const { name, command } of listSteps(plan)) {
    output.entry({ step: name, command }, `$ ${command}`);
  }
}

async function runSteps(plan: Plan, isConfirmed: boolean): Promise<void> {
  const { context, answers } = plan;
  const out = context.out();
  const steps = listSteps(plan);
  if (!isConfirmed) await confirm(plan);
  for (const { name, command, run } of steps) {
    context.signal.throwIfAborted();
    out.line(`$ ${command}`);
    showCheck(out, { check: name, ok: true, detail: await run() });
  }
  const { OIDC_PROVIDER_CLIENT_ID: oidc, OAUTH_PROVIDER_CLIENT_ID: oauth } = answers.variables;
  const base = answers.variables.APP_BASE_URL;
  if (oidc) out.line(`Callback to register at Google: ${base}/auth/google/callback`);
  if (oauth) out.line(`Callback to register at GitHub: ${base}/auth/github/callback`);
  out.line(`Next: npm run signin -- smoke ${base}`);
}

async function confirm({ context: { terminal, out }, answers }: Plan): Promise<void> {
  if (!terminal.isInteractive) {
    throw new CommandFailed("--yes is missing: there is no terminal to confirm the deployment.");
  }
  out().line(`This deploys ${answers.worker} to https://${answers.host}.`);
  const answer = await terminal.ask("Continue? (y/N)");
  if (!/^y(es)?$/i.test(answer)) throw new CommandFailed("Nothing was changed.");
}
