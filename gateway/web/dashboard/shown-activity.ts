/** The fields of GET /operator/activity that the page shows; the last minute is still going on. */
export interface ShownActivity {
  minutes: ShownMinute[];
}

export interface ShownMinute {
  at: string;
  requests: ShownFigures;
  jobs: ShownFigures;
}

export interface ShownFigures {
  count: number;
  failed: number;
  p50Ms: number | null;
  p99Ms: number | null;
}
