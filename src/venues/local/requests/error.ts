// The error of a request to the local process that brought no usable answer.
import { ClientError } from '../../../exchange/kit/client-error.ts';

/**
 * `refused`: the server refused in its own envelope, or gave a reason instead of one. This proves less than at another exchange, because the process
 * may fail after it has sent a transaction: `venues/local/placing.ts` also looks at the status.
 */
export class LocalError extends ClientError {
  override readonly name = 'LocalError';
}
