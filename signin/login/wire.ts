import { z } from "@hono/zod-openapi";
import { isLoopbackRedirect } from "../native/loopback.ts";
import { CHALLENGE } from "../native/pkce.ts";

/** The query of `GET /auth/{provider}/login`: none, `mode=link`, or a native sign-in with all of its parameters. */
export const LoginQuery = z.object({
  mode: z
    .enum(["login", "link"])
    .optional()
    .describe(
      "`login` signs in, `link` connects the provider to the bearer's account; by default `login`.",
    ),
  native: z
    .enum(["true", "false"])
    .optional()
    .describe(
      "`true` for a native client, which also sends the three parameters below; by default `false`.",
    ),
  redirect_to: z
    .string()
    .refine(
      isLoopbackRedirect,
      "must be http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT",
    )
    .optional()
    .describe(
      "The loopback address of a native client that gets the code: `http://127.0.0.1:PORT`.",
    ),
  code_challenge: z
    .string()
    .regex(CHALLENGE, "must be 43 characters of base64url")
    .optional()
    .describe("The PKCE challenge: SHA-256 of the verifier, 43 characters of base64url."),
  code_challenge_method: z.literal("S256").optional().describe("The PKCE method; only `S256`."),
});

/** The flow that a login query starts. */
type LoginRequest =
  | { mode: "login" }
  | { mode: "link" }
  | { mode: "native"; redirectTo: string; codeChallenge: string };

/** The answer to `mode=link` and `native=true`: open `url`. The native client's loopback address gets `state`. */
export const LoginResponse = z
  .object({
    url: z.string().describe("The address to open in the user's browser."),
    state: z
      .string()
      .optional()
      .describe(
        "The `state` that the loopback address receives with the code; only for native clients.",
      ),
  })
  .openapi("LoginAnswer", { description: "Where the user signs in." });

/** The requested flow, or a message about a wrong combination of parameters. */
export function toLoginRequest(query: z.infer<typeof LoginQuery>): LoginRequest | string {
  const isLink = query.mode === "link";
  if (query.native !== "true") return { mode: isLink ? "link" : "login" };
  if (isLink) return "mode: native linking is not supported";
  const { redirect_to: redirectTo, code_challenge: codeChallenge } = query;
  if (redirectTo === undefined) return "redirect_to: is required";
  if (codeChallenge === undefined) return "code_challenge: is required";
  if (query.code_challenge_method === undefined) return "code_challenge_method: must be S256";
  return { mode: "native", redirectTo, codeChallenge };
}

const formField = (description: string) => ({ type: "string" as const, description });

/** The form of `response_mode=form_post`, as login/posted-callback.ts reads it. */
export const postedCallbackBody = {
  body: {
    required: true,
    content: {
      "application/x-www-form-urlencoded": {
        schema: {
          type: "object" as const,
          properties: {
            state: formField("The `state` of the flow."),
            code: formField("The code of the provider."),
            error: formField("The name of a failure, in the place of the code."),
            user: formField(
              "JSON with the `name` of the person, which Apple sends once. Nothing else of it is read.",
            ),
          },
        },
      },
    },
  },
};
