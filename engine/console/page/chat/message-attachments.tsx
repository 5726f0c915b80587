import { engine } from "../session.ts";
import { formatBytes } from "../ui/format.ts";
import { useLoad } from "../ui/load.tsx";
import { Picture } from "../ui/picture.tsx";

/** The files that came with a message; pictures are shown. */
export function MessageAttachments({ uuid }: { uuid: string }) {
  const { value } = useLoad(uuid, (signal) => engine.messages.listAttachments(uuid, { signal }));
  if (!value || value.length === 0) return null;
  return (
    <ul class="attachments row">
      {value.map(({ name, mediaType, size }, position) => (
        <li key={position}>
          {mediaType.startsWith("image/") ? (
            <Picture
              name={name}
              load={(signal) => engine.messages.getAttachment(uuid, String(position), { signal })}
            />
          ) : (
            <span class="chip">
              {name} <span class="muted">{formatBytes(size)}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
