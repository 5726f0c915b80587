/**
 * SQL for the moment a millisecond after a time (itself SQL); '' where there is none, which every time is later than.
 * `max(<now>, justAfter(<previous>))` never repeats and never goes back, whatever the clock does: order needs no ties.
 */
export function justAfter(previousTime: string): string {
  return `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${previousTime}, '+0.001 seconds'), '')`;
}
