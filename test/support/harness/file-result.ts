/** What a process of tests is asked to run. */
export interface FileRequest {
  path: string;
  needsServers: boolean;
  /** Only tests whose full title contains this text run. */
  grep?: string;
}

export interface TestResult {
  title: string;
  ms: number;
}

/** How the tests of one file ended. */
export interface FileResult {
  path: string;
  ms: number;
  passed: TestResult[];
  /** Full titles of tests, or of hooks. */
  failed: string[];
  skipped: number;
  /** The report of mocha's spec reporter. */
  report: string;
}
