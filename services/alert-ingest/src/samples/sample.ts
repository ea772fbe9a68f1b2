import type { HookResult } from '../hooks/hook-alert.ts';

/** A request of a tool as it is shown (Q8), without secrets. */
export interface Sample extends SampleSummary {
  readonly request: SampleRequest;
}

export interface SampleSummary {
  /** The id of the request. */
  readonly id: string;
  readonly receivedAt: Date;
  readonly result: HookResult;
  /** Whether the request is longer than what is kept. */
  readonly isTruncated: boolean;
}

/** The body of a trial that reads the request again. */
export interface SampleRequest {
  readonly raw: string;
  readonly contentType?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly preset?: string;
  readonly vendor?: string;
}
