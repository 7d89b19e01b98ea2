// The error of a request to the hosted exchange that brought no usable answer.
import { ClientError } from '../../../exchange/kit/client-error.ts';

/** `refused`: an error receipt that proves a refusal; the exchange refuses no action by status. */
export class HostedError extends ClientError {
  override readonly name = 'HostedError';
}
