"""Transactions of Ethereum as JSON-RPC's objects, made from their RLP: written from the Yellow Paper and the execution API, without a
look at the tool."""

NAMES = {
    0: "nonce gasPrice gas to value input v r s",
    1: "chainId nonce gasPrice gas to value input accessList yParity r s",
    2: "chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList yParity r s",
    3: "chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList maxFeePerBlobGas blobVersionedHashes yParity r s",
    4: "chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList authorizationList yParity r s",
}


def item_of(data):
    """(an item, what follows it); lists are lists."""
    first = data[0]
    if first < 0x80:
        return data[:1], data[1:]
    base = 0x80 if first < 0xC0 else 0xC0
    width, start = first - base, 1
    if width > 55:
        start += width - 55
        width = int.from_bytes(data[1:start], "big")
    inside, rest = data[start : start + width], data[start + width :]
    if base == 0x80:
        return inside, rest
    items = []
    while inside:
        item, inside = item_of(inside)
        items.append(item)
    return items, rest


def quantity(data):
    return hex(int.from_bytes(data, "big"))


def text(data):
    return "0x" + data.hex()


def value_of(name, item):
    if name == "to":
        return text(item) if item else None
    if name in ("input", "address"):
        return text(item)
    if name == "accessList":
        return [{"address": text(address), "storageKeys": [text(key) for key in keys]} for address, keys in item]
    if name == "blobVersionedHashes":
        return [text(each) for each in item]
    if name == "authorizationList":
        return [members("chainId address nonce yParity r s", each) for each in item]
    return quantity(item)


def members(names, items):
    return {name: value_of(name, item) for name, item in zip(names.split(), items, strict=True)}


def transaction_object(raw):
    kind = raw[0] if raw[0] < 0xC0 else 0
    items, rest = item_of(raw[1:] if kind else raw)
    assert not rest
    made = {"blockNumber": "0x1", "type": hex(kind)} | members(NAMES[kind], items)
    return made | ({"v": made["yParity"]} if kind else {})
