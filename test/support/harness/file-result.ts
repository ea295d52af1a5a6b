/** What a process of tests is asked to run. */
export interface FileRequest {
  path: string;
  needsServers: boolean;
  /** Whether it starts other processes, which use the cores most. */
  startsProcesses: boolean;
  /** Only tests whose full title contains this text run. */
  grep?: string;
}

export interface TestResult {
  title: string;
  ms: number;
}

/** A test, or a hook, that failed. */
export interface FailedTest {
  title: string;
  error: string;
}

export interface SkippedTest {
  title: string;
  /** What is missing, and what would make it run. */
  reason: string;
}

/** How the tests of one file ended. */
export interface FileResult {
  path: string;
  ms: number;
  /** CPU time of the process that runs tests and of all that it started. */
  cpuMs: number;
  passed: TestResult[];
  failed: FailedTest[];
  skipped: SkippedTest[];
  /** Tests that failed beside other files and passed on their own. */
  unstable?: FailedTest[];
  /** The report of mocha's spec reporter. */
  report: string;
}
