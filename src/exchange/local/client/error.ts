// The error of a request to the local process that brought no usable answer.
import { ClientError, type ClientErrorKind } from '../../kit/client-error.ts';

/**
 * `refused`: the server refused in its own envelope, or gave a reason instead of one. Only `notSent` and a status of 4xx (except 408) prove that a write
 * was not executed: a process that awaits a transaction also fails after sending it.
 */
export type LocalErrorKind = ClientErrorKind;

export class LocalError extends ClientError {
  override readonly name = 'LocalError';
}
