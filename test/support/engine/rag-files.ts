/** A document with two headings. */
export const GUIDE = `# Guide

The cache is refreshed every minute.

## Install

Run the installer and wait.
`;

/** A root with a document, a source file and a file of secrets. */
export const FILES = {
  "guide.md": GUIDE,
  "src/user.ts": "export function getUserName() {\n  return 1;\n}\n",
  ".env": "PASSWORD=canary-value-1\n",
};

/** Status and body of an error. */
export async function errorOf(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}
