// Receipts of exchanges that report less than the embedded one.
import type { Receipt } from '../../../wire/codec.ts';
import type { ExchangeRules } from '../../plan/options.ts';

export function reducedReceipt(
  receipt: Extract<Receipt, { kind: 'placeOrder' }>,
  { receipts }: Pick<ExchangeRules, 'receipts'>,
): Extract<Receipt, { kind: 'placeOrder' }> {
  if (receipts === 'full') return receipt;
  const { actionId, clientOrderId, posted, fills } = receipt;
  if (receipts === 'bare') return { kind: 'placeOrder', actionId, posted: undefined, fills: [], clientOrderId };
  return { kind: 'placeOrder', actionId, posted: posted && { ...posted, orderId: '0' }, fills, clientOrderId };
}
