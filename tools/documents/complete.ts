import type {
  CommonResponse,
  OperationFacts,
  OperationText,
  ProgramTexts,
} from "../../shared/http/openapi-texts.ts";
import { describeSchemas } from "./describe-schemas.ts";
import type { Document, JsonObject, Operation } from "./document.ts";

/** A document that needs texts, or texts that nothing needs; the message lists all of them. */
export class IncompleteTexts extends Error {
  override name = "IncompleteTexts";

  constructor(faults: readonly string[]) {
    super(`The texts of the OpenAPI document do not fit the routes:\n${faults.join("\n")}`);
  }
}

const IGNORED_BODY = {
  description: "Ignored, and may be left out.",
  required: false,
  content: { "application/json": { schema: { description: "Any JSON value; it is not read." } } },
};

/**
 * Joins what the routes declare with the texts of the slices.
 * @throws IncompleteTexts
 */
export function completeDocument(declared: Document, texts: ProgramTexts): Document {
  const faults: string[] = [];
  const known = new Map(
    texts.slices.flatMap(({ tag, operations }) =>
      Object.entries(operations).map(([name, text]) => [name, { tag, text }] as const),
    ),
  );
  const paths: Document["paths"] = {};
  for (const [path, operations] of Object.entries(declared.paths)) {
    const completed: Record<string, Operation> = {};
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path.slice(texts.prefix.length)}`;
      const found = known.get(name);
      if (!found) faults.push(`${name}: needs an id and a summary in the openapi.ts of its slice`);
      else
        completed[method] = completeOperation({
          name,
          path,
          method,
          operation,
          ...found,
          texts,
          faults,
        });
      known.delete(name);
    }
    paths[path] = completed;
  }
  for (const name of known.keys()) faults.push(`${name}: has texts, and no route`);
  faults.push(...idFaults(paths));
  const { components } = declared;
  const schemas = describeSchemas({ ...components.schemas }, texts, faults);
  if (faults.length > 0) throw new IncompleteTexts(faults);
  return {
    openapi: declared.openapi,
    info: declared.info,
    servers: declared.servers,
    tags: describeTags(texts),
    security: declared.security,
    paths,
    components: { ...components, schemas },
  };
}

/** Slices may share a tag; the first one describes it. */
function describeTags({ slices }: ProgramTexts): JsonObject[] {
  const tags = new Map<string, string>();
  for (const { tag, about } of slices) if (!tags.has(tag)) tags.set(tag, about);
  return [...tags].map(([name, description]) => ({ name, description }));
}

function completeOperation({
  name,
  path,
  method,
  operation,
  tag,
  text,
  texts,
  faults,
}: {
  name: string;
  path: string;
  method: string;
  operation: Operation;
  tag: string;
  text: OperationText;
  texts: ProgramTexts;
  faults: string[];
}): Operation {
  const { parameters, requestBody, responses, security, ...unknown } = operation;
  for (const field of Object.keys(unknown))
    faults.push(`${name}: ${field} belongs into openapi.ts`);
  if (requestBody && text.ignoresBody) faults.push(`${name}: has a body that is read`);
  const facts = {
    method,
    path: path.slice(texts.prefix.length),
    needsBearer: security === undefined || security.some((one) => "bearer" in one),
    hasJsonBody: requestBody !== undefined,
  };
  return {
    operationId: text.id,
    tags: [tag],
    summary: text.summary,
    description: text.about,
    ...(security === undefined ? {} : { security }),
    ...(parameters === undefined
      ? {}
      : { parameters: describeParameters({ name, parameters, text, texts, faults }) }),
    ...(text.ignoresBody ? { requestBody: IGNORED_BODY } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: withCommon(withEvents(responses, text.events), texts.responses, facts),
  };
}

function describeParameters({
  name,
  parameters,
  text,
  texts,
  faults,
}: {
  name: string;
  parameters: readonly JsonObject[];
  text: OperationText;
  texts: ProgramTexts;
  faults: string[];
}): JsonObject[] {
  const own = new Set(Object.keys(text.parameters ?? {}));
  const described = parameters.map((parameter) => {
    const key = String(parameter.name);
    own.delete(key);
    const description = text.parameters?.[key] ?? texts.parameters[key];
    if (description === undefined) faults.push(`${name}: the parameter ${key} needs a text`);
    const { schema, ...rest } = parameter;
    return { ...rest, description, schema };
  });
  for (const key of own) faults.push(`${name}: has no parameter ${key}`);
  return described;
}

/** The body of an event stream, as the events that it is made of. */
function withEvents(
  responses: Readonly<Record<string, JsonObject>>,
  component: string | undefined,
): Readonly<Record<string, JsonObject>> {
  if (component === undefined) return responses;
  const schema = { $ref: `#/components/schemas/${component}` };
  return { ...responses, 200: { ...responses[200], content: { "text/event-stream": { schema } } } };
}

/** What the route declares comes first; a common response fills a gap. */
function withCommon(
  declared: Readonly<Record<string, JsonObject>>,
  common: readonly CommonResponse[],
  facts: OperationFacts,
): Record<string, JsonObject> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } };
  const added = common
    .filter(({ status, appliesTo }) => !(status in declared) && appliesTo(facts))
    .map(({ status, about }) => [status, { description: about, content }] as const);
  return { ...declared, ...Object.fromEntries(added) };
}

function idFaults(paths: Document["paths"]): string[] {
  const ids = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .map(({ operationId }) => String(operationId));
  return ids
    .filter((id, at) => ids.indexOf(id) !== at || !/^[a-z]+([A-Z][a-z]+)+$/.test(id))
    .map((id) => `${id}: is no verb with a noun, or there twice`);
}
