/**
 * SQL for a time one millisecond later; '' for NULL, which sorts before every time. `max(<now>, justAfter(<previous>))`
 * never repeats and never decreases, whatever the clock does, so that order has no ties.
 */
export function justAfter(previousTime: string): string {
  return `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${previousTime}, '+0.001 seconds'), '')`;
}
