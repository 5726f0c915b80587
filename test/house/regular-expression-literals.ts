import { isCallExpression, isNewExpression, type Node, SyntaxKind } from "typescript/unstable/ast";
import { openProject } from "./project.ts";
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
  const { rootFiles, program } = openProject();
  return rootFiles.flatMap((file) => {
    const path = file.slice(ROOT.length).replaceAll("\\", "/");
    if (!folders.some((folder) => path.startsWith(`${folder}/`))) return [];
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`TypeScript did not parse ${path}.`);
    return expressionsOf(source).map(({ text, isLiteral }) => ({ path, text, isLiteral }));
  });
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
