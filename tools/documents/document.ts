export type JsonObject = Readonly<Record<string, unknown>>;

/** An operation of an OpenAPI document, as far as the generator knows it. */
export interface Operation extends JsonObject {
  operationId?: string;
  parameters?: readonly JsonObject[];
  requestBody?: JsonObject;
  responses: Readonly<Record<string, JsonObject>>;
  security?: readonly JsonObject[];
}

/** An OpenAPI document, as far as the generator knows it. */
export interface Document extends JsonObject {
  info: JsonObject;
  paths: Record<string, Record<string, Operation>>;
  /** What operations need that say nothing of it. */
  security?: readonly JsonObject[];
  components: JsonObject & { schemas: Record<string, JsonObject> };
}
