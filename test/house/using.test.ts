import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import {
  isAwaitExpression,
  isReturnStatement,
  isVariableStatement,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API, type Checker } from "typescript/unstable/sync";
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
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, "tsconfig.json");
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    assert.ok(project);
    const found: string[] = [];
    let looked = 0;
    for (const file of project.rootFiles) {
      const source = project.program.getSourceFile(file);
      if (!source || !/\busing \w/.test(source.text)) continue;
      looked += 1;
      for (const expression of returnedInUse(source, false)) {
        if (!isPromise(project.checker, expression)) continue;
        found.push(`${file.slice(ROOT.length)}: return ${expression.getText().slice(0, 60)}`);
      }
    }
    assert.ok(looked > 100);
    assert.deepEqual(found, []);
  } finally {
    api.close();
  }
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
