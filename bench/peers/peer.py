# hftbacktest on tapes that were exported as Parquet, for peers.ts: one request a line as JSON, one answer a line.
import json
import os
import sys
import time

import numpy as np
import polars
from hftbacktest import (
    BUY, BUY_EVENT, CANCELED, DEPTH_CLEAR_EVENT, DEPTH_EVENT, DEPTH_SNAPSHOT_EVENT, EXCH_EVENT, EXPIRED, FILLED, GTX, LIMIT, LOCAL_EVENT, NONE,
    SELL_EVENT, TRADE_EVENT, BacktestAsset, HashMapMarketDepthBacktest, ROIVectorMarketDepthBacktest,
)
from hftbacktest.types import event_dtype
from numba import njit, uint64

MICRO = 1_000
MILLI = 1_000_000


@njit
def play(hbt, step, levels, size, max_position, look):
    """The rule of grid.ts. Gives what was bought and sold in base units, and the value of both, told by the orders themselves."""
    bought, sold, value = 0.0, 0.0, 0.0
    while hbt.elapse(look) == 0:
        orders = hbt.orders(0)
        done = orders.values()
        while done.has_next():
            order = done.get()
            if order.status == FILLED or order.status == CANCELED or order.status == EXPIRED:
                traded = order.qty if order.status == FILLED else order.qty - order.leaves_qty
                if order.side == BUY:
                    bought += traded
                else:
                    sold += traded
                value += traded * order.price
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        bid, ask = depth.best_bid_tick, depth.best_ask_tick
        if bid < 0 or ask > 2_000_000_000 or bid >= ask:
            continue
        centre = int(np.floor((bid + ask) / 2 / step + 0.5)) * step
        position = hbt.position(0)
        bids = levels if position < max_position else 0
        asks = levels if position > -max_position else 0
        orders = hbt.orders(0)
        resting = orders.values()
        while resting.has_next():
            order = resting.get()
            away = centre - order.price_tick if order.side == BUY else order.price_tick - centre
            wanted = away > 0 and away % step == 0 and away // step <= (bids if order.side == BUY else asks)
            if not wanted and order.cancellable:
                hbt.cancel(0, order.order_id, False)
        for away in range(1, levels + 1):
            tick = centre - away * step
            if away <= bids and uint64(2 * tick) not in orders:
                hbt.submit_buy_order(0, uint64(2 * tick), tick * depth.tick_size, size, GTX, LIMIT, False)
            tick = centre + away * step
            if away <= asks and uint64(2 * tick + 1) not in orders:
                hbt.submit_sell_order(0, uint64(2 * tick + 1), tick * depth.tick_size, size, GTX, LIMIT, False)
    left = hbt.orders(0).values()
    while left.has_next():
        order = left.get()
        traded = order.qty if order.status == FILLED else order.qty - order.leaves_qty
        if order.side == BUY:
            bought += traded
        else:
            sold += traded
        value += traded * order.price
    return bought, sold, value


def convert(parquet, npz, latency):
    """The rows of an exported tape as events, received `latency` nanoseconds after they happened. What is not of the book or a trade has no event."""
    rows = polars.read_parquet(parquet).filter(polars.col("kind").is_in(["level", "trade", "clear"]))
    kind, side = rows["kind"].to_numpy(), rows["side"].to_numpy()
    events = np.zeros(len(rows), event_dtype)
    sides = np.where(side == "ask", SELL_EVENT, np.where(side == "bid", BUY_EVENT, 0))
    # The side of a print is its taker's on both sides.
    depth = np.where(rows["snapshot"].to_numpy(), DEPTH_SNAPSHOT_EVENT, DEPTH_EVENT)
    kinds = np.where(kind == "trade", TRADE_EVENT, np.where(kind == "clear", DEPTH_CLEAR_EVENT, depth))
    events["ev"] = (EXCH_EVENT | LOCAL_EVENT | sides | kinds).astype("u8")
    events["exch_ts"] = rows["time"].cast(polars.Int64).to_numpy() * MICRO
    events["local_ts"] = events["exch_ts"] + latency
    events["px"] = rows["price"].fill_null(0).to_numpy()
    events["qty"] = rows["size"].fill_null(0).to_numpy()
    np.savez_compressed(npz, data=events)
    prices = events["px"][events["px"] > 0]
    return {"events": len(events), "low": float(prices.min()), "high": float(prices.max())}


def asset(at):
    return (
        BacktestAsset()
        .data([at["npz"]])
        .linear_asset(1.0)
        .constant_order_latency(at["latencyMs"] * MILLI, at["latencyMs"] * MILLI)
        .risk_adverse_queue_model()
        .partial_fill_exchange()
        .trading_value_fee_model(at["makerFee"], at["takerFee"])
        .tick_size(at["tick"])
        .lot_size(at["lot"])
    )


def run(at):
    began = time.perf_counter()
    if at["depth"] == "hashmap":
        hbt = HashMapMarketDepthBacktest([asset(at)])
    else:
        hbt = ROIVectorMarketDepthBacktest([asset(at).roi_lb(at["low"]).roi_ub(at["high"])])
    step = round(at["spacing"] / at["tick"])
    bought, sold, value = play(hbt, step, at["levels"], at["size"], at["maxPosition"], at["lookMs"] * MILLI)
    state = hbt.state_values(0)
    told = {"fills": int(state.num_trades), "position": float(state.position)}
    hbt.close()
    return {"seconds": time.perf_counter() - began, "told": told, "position": bought - sold, "base": bought + sold, "volume": value}


for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "convert":
        answer = convert(request["parquet"], request["npz"], request["latencyMs"] * MILLI)
    else:
        answer = run(request)
    print(json.dumps(answer), flush=True)
