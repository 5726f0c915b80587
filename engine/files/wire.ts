import { z } from "@hono/zod-openapi";
import {
  FILE_SEARCH_LIMIT_DEFAULT,
  FILE_SEARCH_LIMIT_MAX,
  FILE_SEARCH_LIMIT_MIN,
} from "./limits.ts";

/** Engine §2, file objects. Paths are relative to their root and separated by `/`. */
export const FileSearchMatch = z
  .object({ rootIndex: z.int(), name: z.string(), relativePath: z.string() })
  .openapi("FileSearchMatch");
export type FileSearchMatch = z.infer<typeof FileSearchMatch>;

/** Engine §2, file objects. */
export const FileEntry = z
  .object({ name: z.string(), relativePath: z.string(), isDirectory: z.boolean() })
  .openapi("FileEntry");
export type FileEntry = z.infer<typeof FileEntry>;

/** Engine §2, file objects. As a request, too: null or missing content is rejected. */
export const FileContent = z.object({ content: z.string() }).openapi("FileContent");
export type FileContent = z.infer<typeof FileContent>;

/** Engine §2, file objects. An empty `destinationPath` is the root. */
export const MovePath = z
  .object({
    sourceRootIndex: z.int(),
    sourcePath: z.string(),
    destinationRootIndex: z.int(),
    destinationPath: z.string(),
  })
  .openapi("MovePath");
export type MovePath = z.infer<typeof MovePath>;

/** The position of a root, in a query. */
export const RootIndex = z
  .string()
  .regex(/^\d+$/, "must be a whole number from 0")
  .transform(Number)
  .openapi({ type: "integer", minimum: 0, description: "Position in `directories`" });

/** Any whole number; clamped. */
const SearchLimit = z
  .string()
  .regex(/^-?\d+$/, "must be a whole number")
  .optional()
  .transform((text) =>
    text === undefined
      ? FILE_SEARCH_LIMIT_DEFAULT
      : Math.min(Math.max(Number(text), FILE_SEARCH_LIMIT_MIN), FILE_SEARCH_LIMIT_MAX),
  )
  .openapi({
    type: "integer",
    default: FILE_SEARCH_LIMIT_DEFAULT,
    description: `Clamped to ${FILE_SEARCH_LIMIT_MIN}..${FILE_SEARCH_LIMIT_MAX}`,
  });

/** `q` matches names and paths, ignoring case; an empty one matches every file. */
export const SearchQuery = z.object({ q: z.string().default(""), limit: SearchLimit });

/** A folder of a root; the root itself where the path is omitted or empty. */
export const FolderQuery = z.object({ rootIndex: RootIndex, path: z.string().default("") });

/** A file or folder below a root. */
export const PathQuery = z.object({ rootIndex: RootIndex, path: z.string().min(1) });
