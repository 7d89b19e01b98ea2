// Receipts of exchanges that report less than the embedded one, or name another session than the one that was opened.
import type { Receipt } from '../../../../venues/wire/codec.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { ExchangeRules, Options } from '../../plan/options.ts';

/** Returns the receipt as the exchange shows it. */
export function shownReceipt(
  receipt: Receipt,
  { options: { rules }, faults }: { readonly options: Pick<Options, 'rules'>; readonly faults: FaultBox },
): Receipt {
  if (receipt.kind === 'placeOrder') return reducedReceipt(receipt, rules);
  const isMisnamed = receipt.kind === 'createSession' && faults.on('session')?.detail === 'misnamed';
  return isMisnamed ? { ...receipt, sessionId: `77${receipt.sessionId}` } : receipt;
}

function reducedReceipt(
  receipt: Extract<Receipt, { kind: 'placeOrder' }>,
  { receipts }: Pick<ExchangeRules, 'receipts'>,
): Extract<Receipt, { kind: 'placeOrder' }> {
  if (receipts === 'full') return receipt;
  const { actionId, clientOrderId, posted, fills } = receipt;
  if (receipts === 'bare') return { kind: 'placeOrder', actionId, posted: undefined, fills: [], clientOrderId };
  return { kind: 'placeOrder', actionId, posted: posted && { ...posted, orderId: '0' }, fills, clientOrderId };
}
