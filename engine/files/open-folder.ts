import { DESCRIPTORS_HAVE_ADDRESSES, type Folder } from "./folder.ts";
import { openFolderByDescriptor } from "./folder-by-descriptor.ts";
import { openFolderByPath } from "./folder-by-path.ts";

/**
 * Opens a folder below a root, segment by segment.
 * @throws EngineError `invalid` for the root, `forbidden` if any segment is a link, `not_found`; `wrongType` if the
 * last segment is not a folder; or an error of the operating system.
 */
type OpenFolder = (
  root: string,
  segments: readonly string[],
  wrongType: () => Error,
) => Promise<Folder>;

/**
 * On Linux a held descriptor has a path of its own, so later changes of the original path do not matter. Node has nothing
 * like it elsewhere: there the path is checked before and after (decision E-FILES-19).
 */
export const openFolder: OpenFolder = DESCRIPTORS_HAVE_ADDRESSES
  ? openFolderByDescriptor
  : openFolderByPath;
