// Signs the actions of a trading key at Hyperliquid, and finds the address that signed one.
// Source: hyperliquid-python-sdk, utils/signing.py; test/unit/wire/hyperliquid compares with its signatures.
import { encode } from '@msgpack/msgpack';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { HyperliquidAction } from './actions.ts';
import { bytesOf, type Domain, type Signature, signDigest, signerOf, typedDigest } from './typed-data.ts';

export type HyperliquidNetwork = 'mainnet' | 'testnet';

/** What a signature covers. Times are milliseconds of the exchange's clock. */
export interface Unsigned {
  /** Its properties are signed in their order, as `actions.ts` writes and reads them. */
  readonly action: HyperliquidAction;
  /** Milliseconds; never used again by this key. */
  readonly nonce: number;
  /** The sub-account for which the key acts. */
  readonly vaultAddress?: string | undefined;
  /** After this time the exchange refuses the action. */
  readonly expiresAfter?: number | undefined;
}

const NO_CONTRACT = `0x${'0'.repeat(40)}`;
const DOMAIN: Domain = { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: NO_CONTRACT };
/** The name of each network in signed data. */
const SOURCES: Readonly<Record<HyperliquidNetwork, string>> = { mainnet: 'a', testnet: 'b' };
const ADDRESS_BYTES = 20;

export const signAction = (unsigned: Unsigned, { secret, network }: { secret: Uint8Array; network: HyperliquidNetwork }): Signature =>
  signDigest(digestOf(unsigned, network), secret);

/** Returns the signer's address in lower case; undefined if no key can have made the signature. */
export const actionSigner = (
  unsigned: Unsigned,
  { signature, network }: { signature: Signature; network: HyperliquidNetwork },
): string | undefined => signerOf(digestOf(unsigned, network), signature);

/** Returns the hash of an action, which the documentation calls its connection id. */
export function actionHash({ action, nonce, vaultAddress, expiresAfter }: Unsigned): Uint8Array {
  const vault = vaultAddress === undefined ? [0] : [1, ...bytesOf(vaultAddress, ADDRESS_BYTES)];
  const expiry = expiresAfter === undefined ? [] : [0, ...u64(expiresAfter)];
  return keccak_256(Buffer.concat([encode(action), u64(nonce), Buffer.from(vault), Buffer.from(expiry)]));
}

/** Returns the digest that a trading key signs for an action. */
function digestOf(unsigned: Unsigned, network: HyperliquidNetwork): Uint8Array {
  const connectionId = `0x${Buffer.from(actionHash(unsigned)).toString('hex')}`;
  return typedDigest(DOMAIN, {
    name: 'Agent',
    fields: [
      ['source', 'string', SOURCES[network]],
      ['connectionId', 'bytes32', connectionId],
    ],
  });
}

/** Returns a number as 8 bytes, the highest first. */
function u64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** What a master key signs to let another key trade for it. */
export interface AgentApproval {
  readonly signatureChainId: string;
  readonly hyperliquidChain: string;
  readonly agentAddress: string;
  readonly agentName?: string | undefined;
  readonly nonce: number;
}

/** Returns the digest that a master key signs to approve an agent. */
export const approvalDigest = ({ signatureChainId, hyperliquidChain, agentAddress, agentName = '', nonce }: AgentApproval): Uint8Array =>
  typedDigest(
    { name: 'HyperliquidSignTransaction', version: '1', chainId: Number(signatureChainId), verifyingContract: NO_CONTRACT },
    {
      name: 'HyperliquidTransaction:ApproveAgent',
      fields: [
        ['hyperliquidChain', 'string', hyperliquidChain],
        ['agentAddress', 'address', agentAddress],
        ['agentName', 'string', agentName],
        ['nonce', 'uint64', nonce],
      ],
    },
  );
