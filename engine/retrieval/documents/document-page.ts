/** A page of a document, or what stands for one: a slide, a sheet, a chapter. */
export interface DocumentPage {
  text: string;
  /** Indexed above each chunk, but not part of the text; empty if the text has its own headings, or none. */
  heading: string;
  /** Whether headings in the text have the marks of Markdown. */
  kind: "markdown" | "text";
  /** The line of the file for each line of the text, from 1; none if the file has no lines to count. */
  lines?: readonly number[];
}

/** The result of reading a document. */
export interface DocumentText {
  /** As the document itself names it; empty if it does not. */
  title: string;
  pages: DocumentPage[];
}
