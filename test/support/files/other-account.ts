const OTHER_ACCOUNT = 65534;

/**
 * Runs `use` without the superuser's rights. Where the tests do not run as the superuser this is the ordinary case, and
 * nothing has to change.
 */
export async function withoutSuperuser(use: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return use();
  process.setegid?.(OTHER_ACCOUNT);
  process.seteuid?.(OTHER_ACCOUNT);
  try {
    await use();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
