/** A body that is not read. */
export const ignoredBody = {
  body: {
    description: "Ignored, and may be left out.",
    required: false,
    content: {
      "application/json": { schema: { description: "Any JSON value; it is not read." } },
    },
  },
};
