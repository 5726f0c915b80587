// English function and question words: most chunks have them, and they do not narrow a query.
const WORDS = `
a about above after again against all also am an and any are as at be because been before being below between both but by
can could did do does doing done down during each either else ever every few for from further get gets had has have having
he her here hers him his how i if in into is it its itself just let like many may me might more most much must my no nor not
of off on once one only or other our out over own please same she should show so some such than that the their them then
there these they this those through to too under until up upon us use used uses using very via was we were what when where
whether which while who whom whose why will with within without would yet you your
`;

/** Words that keyword queries and the embedder ignore. Lower case. */
export const STOPWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
