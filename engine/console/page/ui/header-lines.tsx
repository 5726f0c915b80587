/** A place for headers of requests, one a line. What is stored is never shown. */
export function HeaderLines({
  hasStored,
  text,
  onInput,
}: {
  hasStored: boolean;
  text: string;
  onInput: (text: string) => void;
}) {
  return (
    <label class="field">
      <span class="muted small">Request headers, one per line</span>
      <textarea
        class="secret"
        rows={2}
        autocomplete="off"
        spellcheck={false}
        placeholder={hasStored ? "Stored; leave empty to keep them" : "X-Api-Key: …"}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
