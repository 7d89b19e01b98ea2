// Why a request to the hosted exchange returned no usable answer.
import { ClientError, type ClientErrorKind } from '../../kit/client-error.ts';

/** It refuses actions in receipts, not in the answers to requests. */
export type HostedErrorKind = Exclude<ClientErrorKind, 'refused'>;

export class HostedError extends ClientError {
  override readonly name = 'HostedError';
}
