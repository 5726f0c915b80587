import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import {
  isAwaitExpression,
  isReturnStatement,
  isVariableStatement,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import type { Checker } from "typescript/unstable/sync";
import { openProject } from "./project.ts";
import { ROOT } from "./sources.ts";

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.MethodDeclaration,
]);

/** A promise, or a union with one. */
const PROMISE = /^(?:[^<({]* \| )?Promise(?:Like)?</;

// `return promise` ends the block, and so disposes of what the promise may still need.
it("a promise is awaited before what is in use is disposed", () => {
  const { rootFiles, program, checker } = openProject();
  const found: string[] = [];
  let looked = 0;
  for (const file of rootFiles) {
    // Before TypeScript hands over its tree, which takes longest.
    if (!/\busing \w/.test(readFileSync(file, "utf8"))) continue;
    const source = program.getSourceFile(file);
    assert.ok(source, file);
    looked += 1;
    for (const expression of returnedInUse(source, false)) {
      if (!isPromise(checker, expression)) continue;
      found.push(`${file.slice(ROOT.length)}: return ${expression.getText().slice(0, 60)}`);
    }
  }
  assert.ok(looked > 100);
  assert.deepEqual(found, []);
});

/** What is returned, without `await`, from blocks that hold something by `using`. */
function returnedInUse(node: Node, isInUse: boolean): Node[] {
  if (isReturnStatement(node)) {
    const { expression } = node;
    return isInUse && expression && !isAwaitExpression(expression) ? [expression] : [];
  }
  let inUse = isInUse && !FUNCTIONS.has(node.kind);
  const found: Node[] = [];
  node.forEachChild((child) => {
    if (isVariableStatement(child) && /^(?:await )?using /.test(child.getText())) inUse = true;
    found.push(...returnedInUse(child, inUse));
  });
  return found;
}

function isPromise(checker: Checker, expression: Node): boolean {
  const type = checker.getTypeAtLocation(expression);
  return type !== undefined && PROMISE.test(checker.typeToString(type));
}
