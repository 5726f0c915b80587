import { z } from "@hono/zod-openapi";
import { field, object } from "../http/fields.ts";
import {
  FILE_SEARCH_LIMIT_DEFAULT,
  FILE_SEARCH_LIMIT_MAX,
  FILE_SEARCH_LIMIT_MIN,
} from "./limits.ts";

/** Engine §2, file objects. Paths are relative to their root and separated by `/`. */
export const FileSearchMatch = object({
  rootIndex: field.integer("The position of its root in `directories`, from 0."),
  name: field.text("The name of the file."),
  relativePath: field.text("The path relative to its root, separated by `/`."),
}).openapi("FileSearchMatch", { description: "A file that was found." });
export type FileSearchMatch = z.infer<typeof FileSearchMatch>;

/** Engine §2, file objects. */
export const FileEntry = object({
  name: field.text("Its name."),
  relativePath: field.text("The path relative to its root, separated by `/`."),
  isDirectory: field.flag("Whether it is a folder."),
}).openapi("FileEntry", { description: "A file or folder." });
export type FileEntry = z.infer<typeof FileEntry>;

/** Engine §2, file objects. As a request, too: null or missing content is rejected. */
export const FileContent = object({
  content: field.text("The text, at most 1,000,000 bytes of UTF-8."),
}).openapi("FileContent", { description: "The text of a file." });
export type FileContent = z.infer<typeof FileContent>;

/** Engine §2, file objects. An empty `destinationPath` is the root. */
export const MovePath = object({
  sourceRootIndex: field.integer("The position of the root of the file or folder, from 0."),
  sourcePath: field.text("The path of the file or folder, relative to its root."),
  destinationRootIndex: field.integer("The position of the root of the destination, from 0."),
  destinationPath: field.text(
    "The path of an existing folder, relative to its root; empty is the root itself.",
  ),
}).openapi("MovePath", {
  description: "A file or folder, and its new folder; both are in the same root.",
});
export type MovePath = z.infer<typeof MovePath>;

/** The position of a root, in a query. */
export const RootIndex = z
  .string()
  .regex(/^\d+$/, "must be a whole number from 0")
  .transform(Number)
  .openapi({
    type: "integer",
    minimum: 0,
    description: "Position in `directories`",
    param: { description: "The position of the root in `directories` of the workspace, from 0." },
  });

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
    param: {
      description: "How many matches at most: 1 to 50, by default 20. Other numbers are clamped.",
    },
  });

export const SearchQuery = object({
  q: z
    .string()
    .default("")
    .describe("A part of the name or path, compared without case; empty matches every file."),
  limit: SearchLimit,
});

/** A folder of a root; the root itself if the path is omitted or empty. */
export const FolderQuery = object({
  rootIndex: RootIndex,
  path: z
    .string()
    .default("")
    .describe("The path of the folder, relative to its root; empty is the root itself."),
});

/** A file or folder below a root. */
export const PathQuery = object({
  rootIndex: RootIndex,
  path: z.string().min(1).describe("The path of the file, relative to its root, separated by `/`."),
});

/** A folder that is not there yet. */
export const NewFolderQuery = PathQuery.extend({
  path: PathQuery.shape.path.describe(
    "The path of the new folder, relative to its root, separated by `/`.",
  ),
});

/** A folder of this machine. */
export const LocalFolderQuery = object({
  path: z.string().min(1).describe("An absolute path, or one that begins with `~`."),
});

/** What a person chooses a folder from. */
export const LocalFolders = object({
  path: field.text("The real path of the folder."),
  parent: field.nullableText("The path of the folder above; null at the top."),
  folders: field.list(
    object({
      name: field.text("Its name."),
      path: field.text("Its absolute path."),
    }),
    "The folders in it by name, at most 1,000; never hidden or protected ones.",
  ),
}).openapi("LocalFolders", { description: "The folders in a folder of this machine." });
export type LocalFolders = z.infer<typeof LocalFolders>;
