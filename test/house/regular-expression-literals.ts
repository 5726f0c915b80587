import { join } from "node:path";
import { isCallExpression, isNewExpression, type Node, SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { ROOT } from "./sources.ts";

/** A regular expression of our sources, as it is written there. */
export interface WrittenExpression {
  path: string;
  /** A literal with its slashes and flags, or the whole `new RegExp(…)`. */
  text: string;
  isLiteral: boolean;
}

/** Every regular expression in these folders, found by the parser of TypeScript itself. */
export function readExpressions(...folders: string[]): WrittenExpression[] {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, "tsconfig.json");
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (!project) throw new Error("TypeScript did not open tsconfig.json.");
    return project.rootFiles.flatMap((file) => {
      const path = file.slice(ROOT.length).replaceAll("\\", "/");
      if (!folders.some((folder) => path.startsWith(`${folder}/`))) return [];
      const source = project.program.getSourceFile(file);
      if (!source) throw new Error(`TypeScript did not parse ${path}.`);
      return expressionsOf(source).map(({ text, isLiteral }) => ({ path, text, isLiteral }));
    });
  } finally {
    api.close();
  }
}

function expressionsOf(node: Node): Omit<WrittenExpression, "path">[] {
  const found: Omit<WrittenExpression, "path">[] = [];
  if (node.kind === SyntaxKind.RegularExpressionLiteral) {
    found.push({ text: node.getText(), isLiteral: true });
  }
  const makesOne = isNewExpression(node) || isCallExpression(node);
  if (makesOne && node.expression.getText() === "RegExp") {
    found.push({ text: node.getText().replace(/\s+/g, " "), isLiteral: false });
  }
  node.forEachChild((child) => {
    found.push(...expressionsOf(child));
  });
  return found;
}
