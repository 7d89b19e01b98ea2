// The addresses of Hyperliquid's networks.
export const ADDRESSES = { mainnet: 'https://api.hyperliquid.xyz', testnet: 'https://api.hyperliquid-testnet.xyz' } as const;
