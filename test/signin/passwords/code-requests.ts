import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../support/signin/users.ts";

export const EMAIL = "ann@example.test";
export const OWNER = "192.0.2.10";
export const HOUR_MS = 3_600_000;

export type Purpose = "login" | "reset" | "signup";
const PATHS: Record<Purpose, string> = {
  login: "/auth/login/code",
  reset: "/auth/password/reset",
  signup: "/auth/signup",
};

export const ask = (signin: SigninWithUsers, purpose: Purpose, address = OWNER, email = EMAIL) => {
  const path = purpose === "login" ? PATHS.login : `${PATHS[purpose]}/code`;
  return signin.post(path, { email }, { from: { address } });
};

export const enter = (
  signin: SigninWithUsers,
  purpose: Purpose,
  code: string,
  { address = OWNER, email = EMAIL } = {},
) =>
  signin.post(
    `${PATHS[purpose]}/complete`,
    { email, code, ...(purpose === "login" ? {} : { password: PASSWORD }) },
    { from: { address } },
  );

/** An address in the network of this number. */
export const stranger = (network: number) => `198.${network >> 8}.${network & 255}.1`;
export const isLong = (code: string) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(code);

export async function createOwner(): Promise<SigninWithUsers> {
  const signin = await createSigninWithUsers();
  await signin.signUp(EMAIL);
  // Those of the sign-up count, too: the next day begins.
  signin.deps.clock.advance(24 * HOUR_MS);
  signin.mails.length = 0;
  return signin;
}
