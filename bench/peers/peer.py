# Runs hftbacktest on tapes exported as Parquet, for peers.ts: reads one JSON request a line and answers each with one line, which has the
# CPU seconds of the process, all threads, from its start.
import json
import sys
import time

import numpy as np
from hftbacktest import (
    BUY, BUY_EVENT, DEPTH_CLEAR_EVENT, DEPTH_EVENT, DEPTH_SNAPSHOT_EVENT, EXCH_EVENT, GTX, LIMIT, LOCAL_EVENT, SELL_EVENT, TRADE_EVENT,
    BacktestAsset, HashMapMarketDepthBacktest, ROIVectorMarketDepthBacktest,
)
from hftbacktest.types import event_dtype
from numba import njit, uint64

MICRO = 1_000
MILLI = 1_000_000
END_OF_DATA = 1


@njit
def play(hbt, step, levels, size, most, look):
    """Plays the rule of grid.ts; `step` in ticks, `look` in nanoseconds. Returns the reason of the end and the number of looks at the book."""
    looks = 0
    while True:
        end = hbt.elapse(look)
        if end != 0:
            return end, looks
        looks += 1
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        bid, ask = depth.best_bid, depth.best_ask
        if not bid < ask:  # also false if one of them is NaN
            continue
        centre = int(np.floor((bid + ask) / 2 / depth.tick_size / step + 0.5)) * step
        position = hbt.position(0)
        bids = levels if position < most else 0
        asks = levels if position > -most else 0
        orders = hbt.orders(0)
        resting = orders.values()
        while resting.has_next():
            order = resting.get()
            away = centre - order.price_tick if order.side == BUY else order.price_tick - centre
            wanted = away > 0 and away % step == 0 and away // step <= (bids if order.side == BUY else asks)
            if not wanted and order.cancellable:
                hbt.cancel(0, order.order_id, False)
        for away in range(1, levels + 1):
            below, above = centre - away * step, centre + away * step
            if away <= bids and uint64(2 * below) not in orders:
                hbt.submit_buy_order(0, uint64(2 * below), below * depth.tick_size, size, GTX, LIMIT, False)
            if away <= asks and uint64(2 * above + 1) not in orders:
                hbt.submit_sell_order(0, uint64(2 * above + 1), above * depth.tick_size, size, GTX, LIMIT, False)


def convert(at):
    """Converts the book rows and trades of an exported tape to events, each received `latencyMs` later. Other rows are dropped."""
    import polars  # a run does not need it

    rows = polars.read_parquet(at["parquet"]).filter(polars.col("kind").is_in(["level", "trade", "clear"]))
    kind, side = rows["kind"].to_numpy(), rows["side"].to_numpy()
    sides = np.where(side == "ask", SELL_EVENT, np.where(side == "bid", BUY_EVENT, 0))  # for a trade, the taker's side
    levels = np.where(rows["snapshot"].to_numpy(), DEPTH_SNAPSHOT_EVENT, DEPTH_EVENT)
    kinds = np.where(kind == "trade", TRADE_EVENT, np.where(kind == "clear", DEPTH_CLEAR_EVENT, levels))
    events = np.zeros(len(rows), event_dtype)
    events["ev"] = EXCH_EVENT | LOCAL_EVENT | sides | kinds
    events["exch_ts"] = rows["time"].cast(polars.Int64).to_numpy() * MICRO
    events["local_ts"] = events["exch_ts"] + at["latencyMs"] * MILLI
    events["px"] = rows["price"].fill_null(0).to_numpy()
    events["qty"] = rows["size"].fill_null(0).to_numpy()
    np.savez_compressed(at["npz"], data=events)
    traded = events["px"][kind == "trade"]
    return {"low": float(traded.min()), "high": float(traded.max())}


def asset(at, data):
    return (
        BacktestAsset()
        .data([data])
        .linear_asset(1.0)
        .constant_order_latency(at["latencyMs"] * MILLI, at["latencyMs"] * MILLI)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(at["makerFee"], at["takerFee"])
        .tick_size(at["tick"])
        .lot_size(at["lot"])
    )


loaded = {}


def run(at):
    """Runs a backtest. `way` says which book to use, and whether the events are read from the file or are in memory."""
    if at["way"] == "memory" and at["npz"] not in loaded:
        loaded.clear()
        loaded[at["npz"]] = np.load(at["npz"])["data"]
    one = asset(at, loaded[at["npz"]] if at["way"] == "memory" else at["npz"])
    if at["way"] == "hashmap":
        hbt = HashMapMarketDepthBacktest([one])
    else:
        hbt = ROIVectorMarketDepthBacktest([one.roi_lb(at["low"] * 0.9).roi_ub(at["high"] * 1.1)])
    step = round(at["spacing"] / at["tick"])
    end, looks = play(hbt, step, at["levels"], at["size"], at["maxPosition"], at["lookMs"] * MILLI)
    if end != END_OF_DATA:
        raise RuntimeError(f"hftbacktest ended with error {end} after {looks} looks")
    state = hbt.state_values(0)
    answer = {"looks": looks, "fills": state.num_trades, "volume": state.trading_value, "position": state.position}
    hbt.close()
    return answer


for line in sys.stdin:
    request = json.loads(line)
    answer = convert(request) if request["do"] == "convert" else run(request)
    print(json.dumps({**answer, "cpu": time.process_time()}), flush=True)
