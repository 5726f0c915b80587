/** An event that a reader can resume after, as text of a stream. Without data its `data:` line is empty. */
export function encodeEvent(id: string, type: string, data?: object): string {
  const text = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  return `id: ${id}\nevent: ${type}\ndata:${text}\n\n`;
}
