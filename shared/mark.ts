// Rails that meet at a turntable, as in a roundhouse.
/** The shapes of the mark that both programs have, in a square of 32. */
export const MARK_SHAPES =
  '<rect width="32" height="32" rx="9" fill="#3346d3"/><path d="M16 21V7M16 21 7 10M16 21l9-11M16 21 5 19M16 21l11-2" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><circle cx="16" cy="21" r="4.5" fill="#fff"/>';

/** The mark as a file: browsers show it beside the title. */
export const MARK_FILE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARK_SHAPES}</svg>`;
