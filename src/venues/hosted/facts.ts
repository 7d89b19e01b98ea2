// What a run on the hosted exchange writes into facts.json.
import type { VenueFacts } from '../kind/venue-kind.ts';

export interface HostedFacts extends VenueFacts {
  readonly kind: 'hosted';
  readonly url: string;
  readonly user: string;
  /** Absent for the user's first account. */
  readonly account?: number | undefined;
  /** `bundled`, `remote`, a file, or `UNKNOWN_SCHEMA`. */
  readonly schema: string;
  /** File of the schemas that the user has approved. */
  readonly approvals: string;
  readonly key: string;
}
