import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const ISSUES_MAX = 3;

/** Schema issues as text: `name: must not be empty`. At most three of them, without the given values. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.slice(0, ISSUES_MAX).map(describeIssue).join("; ");
}

function describeIssue(issue: Issue): string {
  const field = issue.path.map(String).join(".") || "body";
  return `${field}: ${ruleOf(issue)}`;
}

function ruleOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is required";
      return `must be ${withArticle(issue.expected)}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      if (issue.origin === "array" && issue.minimum === 1) return "must have at least one item";
      if (issue.origin === "number" || issue.origin === "int") {
        return `must be ${issue.inclusive ? "at least" : "greater than"} ${issue.minimum}`;
      }
      return `must have at least ${issue.minimum} ${unitOf(issue.origin)}`;
    case "too_big":
      if (issue.origin === "number" || issue.origin === "int") {
        return `must be ${issue.inclusive ? "at most" : "less than"} ${issue.maximum}`;
      }
      return `must have at most ${issue.maximum} ${unitOf(issue.origin)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
    case "invalid_union":
      return "has none of the allowed forms";
    // Messages of this repository's schemas, but for dates.
    case "custom":
    case "invalid_format":
      if ("format" in issue && issue.format === "date") return "must be a date such as 2026-11-22";
      return issue.message.replace(/^Invalid string: must match pattern.*/s, "has a wrong form");
    case "not_multiple_of":
    case "unrecognized_keys":
    case "invalid_key":
    case "invalid_element":
      return "is not valid";
  }
}

function unitOf(origin: string): string {
  return origin === "string" ? "characters" : "items";
}

function withArticle(type: string): string {
  const name = type === "int" ? "integer" : type === "record" ? "object" : type;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}
