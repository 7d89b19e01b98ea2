// The error of a request to the hosted exchange that brought no usable answer.
import { ClientError, type ClientErrorKind } from '../../kit/client-error.ts';

/** Without `refused`: the exchange refuses actions in receipts, not by status. */
export type HostedErrorKind = Exclude<ClientErrorKind, 'refused'>;

export class HostedError extends ClientError {
  override readonly name = 'HostedError';
}
