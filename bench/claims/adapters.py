"""Teaches a model adapters through which it reads whether a text supports a claim, and fits a probe of the state it is then in.

    python bench/claims/adapters.py model.gguf tuning.jsonl=.22 planted.jsonl=.13 pairs.jsonl=.58 --out record.json

The files are questions as `seealso-lab probe --questions` writes them, each with its share of the training examples. The record
is measured by the claims of the first file, except those that only teach. The weights of the model stay as they are: gradients go
into bottlenecks of a few units before its second to sixteenth layer (Houlsby et al. 2019), and into a perceptron of the state
behind the sixteenth. Six sets of adapters are trained at once: one on all claims, and five that each leave out a fifth of the
claims. Their scores of the claims left out give the record's measure and bounds. A set that scores every claim alike has
failed; it is reported and not counted, and shorter steps (`--rate`) may help. The output is the `judge.reading` of a catalog.

Needs jax, numpy and gguf, and a GPU of 80 GB to be done in ten minutes; `--steps 4 --rows 2` tries it on a CPU. Models of qwen2's form.
"""

import argparse
import base64
import json
import time

import gguf
import jax
import jax.numpy as jnp
import numpy as np
from gguf.quants import dequantize

LAYERS, HIDDEN, PARTS, EPSILON = 16, 16, 5, 1e-6
BOUND = 0.1  # Of the supported claims so many may be lost, and of the others so many pass.
MATRICES = dict(q="attn_q", k="attn_k", v="attn_v", o="attn_output", g="ffn_gate", u="ffn_up", d="ffn_down")
VECTORS = dict(qb="attn_q.bias", kb="attn_k.bias", vb="attn_v.bias", n1="attn_norm.weight", n2="ffn_norm.weight")


def say(*told):
    print(f"[{time.monotonic() - BEGUN:6.1f}]", *told, flush=True)


# --- the model ---


class Model:
    """The first layers of a qwen2 model, stacked, and its embedding."""

    def __init__(self, path, kind):
        file = gguf.GGUFReader(path)
        number = lambda name: int(file.fields[f"qwen2.{name}"].parts[-1][0])
        self.kind = kind
        self.heads, self.kv_heads = number("attention.head_count"), number("attention.head_count_kv")
        self.width = number("embedding_length")
        self.head_dim = self.width // self.heads
        self.base = float(file.fields["qwen2.rope.freq_base"].parts[-1][0])
        self.tensors = {tensor.name: tensor for tensor in file.tensors}
        whole = lambda part: np.stack([self.floats(f"blk.{layer}.{part}") for layer in range(LAYERS)])
        matrices = {name: jnp.asarray(whole(f"{part}.weight").transpose(0, 2, 1), kind) for name, part in MATRICES.items()}
        self.weights = matrices | {name: jnp.asarray(whole(part), jnp.float32) for name, part in VECTORS.items()}

    def floats(self, name):
        tensor = self.tensors[name]
        return dequantize(tensor.data, tensor.tensor_type).reshape(tensor.shape[::-1])

    def embedding(self, tokens):
        """The rows of some tokens alone: all of them would be half a gigabyte."""
        tensor = self.tensors["token_embd.weight"]
        return jnp.asarray(dequantize(np.asarray(tensor.data)[tokens], tensor.tensor_type), jnp.float32)


def norm(x, weight=1.0):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + EPSILON) * weight


def adapted(x, down, bias, up, kind):
    """x [members, n, width], down [members, width, units], bias [members, units], up [members, units, width]."""
    sums = jnp.einsum("mnw,mwr->mnr", norm(x).astype(kind), down.astype(kind), preferred_element_type=jnp.float32)
    said = jnp.tanh(sums + bias[:, None]).astype(kind)
    return x + jnp.einsum("mnr,mrw->mnw", said, up.astype(kind), preferred_element_type=jnp.float32)


def rotated(x, model):
    """Rotary positions, halves apart (Su et al. 2021): x [n, tokens, heads, head_dim]."""
    half = model.head_dim // 2
    angles = jnp.arange(x.shape[1])[:, None] * model.base ** (-jnp.arange(half) / half)
    cosine, sine = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def layer(x, weights, adapter, model):
    """One layer of x [members, rows, tokens, width], each member's through its own adapter."""
    members, rows, tokens, width = x.shape
    kind, n = model.kind, members * rows
    product = lambda x, w: jnp.matmul(x.astype(kind), w, preferred_element_type=jnp.float32)
    x = adapted(x.reshape(members, rows * tokens, width), *adapter, kind).reshape(n, tokens, width)
    h = norm(x, weights["n1"])
    heads = lambda y, count: y.reshape(n, tokens, count, model.head_dim)
    q = rotated(heads(product(h, weights["q"]) + weights["qb"], model.heads), model)
    k = rotated(heads(product(h, weights["k"]) + weights["kb"], model.kv_heads), model)
    v = heads(product(h, weights["v"]) + weights["vb"], model.kv_heads)
    q = q.reshape(n, tokens, model.kv_heads, -1, model.head_dim)
    scores = jnp.einsum("btkgd,bskd->bkgts", q.astype(kind), k.astype(kind), preferred_element_type=jnp.float32)
    seen = jnp.tril(jnp.ones((tokens, tokens), bool))
    shares = jax.nn.softmax(jnp.where(seen, scores / model.head_dim**0.5, -1e30), -1)
    said = jnp.einsum("bkgts,bskd->btkgd", shares.astype(kind), v.astype(kind), preferred_element_type=jnp.float32)
    x = x + product(said.reshape(n, tokens, width), weights["o"])
    h = norm(x, weights["n2"]).astype(kind)
    gate, up = (h @ weights["g"]).astype(jnp.float32), (h @ weights["u"]).astype(jnp.float32)
    return (x + product(jax.nn.silu(gate) * up, weights["d"])).reshape(members, rows, tokens, width)


def states(learnt, weights, embedding, tokens, last, model):
    """What stands behind the last layer at each row's last token: tokens [members, rows, n] to [members, rows, width]."""
    save = jax.checkpoint_policies.dots_with_no_batch_dims_saveable
    step = jax.checkpoint(lambda x, w, a: layer(x, w, a, model), policy=save)
    first = lambda name: jnp.concatenate([jnp.zeros_like(learnt[name][:, :1]), learnt[name]], 1).swapaxes(0, 1)
    adapters = (first("down"), first("bias"), first("up"))
    x, _ = jax.lax.scan(lambda x, at: (step(x, *at), None), embedding[tokens], (weights, adapters))
    return jnp.take_along_axis(x, last[:, :, None, None], 2)[:, :, 0]


def leaning(learnt, state):
    """The perceptron: [members, rows, width] to [members, rows]."""
    state = (state - learnt["mean"]) * learnt["scale"]
    said = jnp.tanh(jnp.einsum("mbi,miu->mbu", state, learnt["w1"]) + learnt["b1"][:, None])
    return jnp.einsum("mbu,mu->mb", said, learnt["w2"]) + learnt["b2"][:, None]


# --- the claims ---


class Claims:
    """Questions of all files, by lengths."""

    def __init__(self, files, model):
        rows, self.share, self.measured = [], [], None
        for path, share in files:
            lines = [json.loads(line) for line in open(path, encoding="utf-8")]
            rows += lines
            self.share += [share / len(lines)] * len(lines)
            if self.measured is None:
                self.measured = np.array([at for at, line in enumerate(lines) if not line["taught"]])
        vocabulary = sorted({token for row in rows for token in row["tokens"]})
        number = {token: at for at, token in enumerate(vocabulary)}
        self.embedding = model.embedding(vocabulary)
        self.tokens = [np.array([number[token] for token in row["tokens"]], np.int32) for row in rows]
        self.truth = np.array([row["true"] for row in rows], np.float32)
        self.part = np.array([row["part"] for row in rows])
        self.share = np.array(self.share)
        # The second length is a tenth of the claims, or less.
        longest = max(map(len, self.tokens))
        self.lengths = [min(96, longest), longest]
        self.bucket = np.array([int(len(tokens) > self.lengths[0]) for tokens in self.tokens])

    def padded(self, rows, length):
        tokens = np.zeros((rows.size, length), np.int32)
        for at, row in enumerate(rows.reshape(-1)):
            tokens[at, : len(self.tokens[row])] = self.tokens[row]
        last = np.array([len(self.tokens[row]) - 1 for row in rows.reshape(-1)], np.int32)
        return tokens.reshape(*rows.shape, length), last.reshape(rows.shape)

    def drawn(self, random, bucket, count, without):
        """Rows of a length, by the shares of their files, of all parts but one."""
        share = self.share * (self.bucket == bucket) * (self.part != without)
        return random.choice(len(share), count, p=share / share.sum())


# --- learning ---


def begun(members, width, units, random):
    draw = lambda scale, *shape: jnp.asarray(np.broadcast_to(random.normal(size=shape) * scale, (members, *shape)), jnp.float32)
    zeros = lambda *shape: jnp.zeros((members, *shape), jnp.float32)
    before = LAYERS - 1
    return dict(
        down=draw(width**-0.5, before, width, units), bias=zeros(before, units), up=zeros(before, units, width),
        w1=draw(width**-0.5, width, HIDDEN), b1=zeros(HIDDEN), w2=draw(0.3, HIDDEN), b2=zeros(),
    )


def adam(learnt, first, second, gradient, at, rate, decay):
    """A step of AdamW (Loshchilov and Hutter 2019), in place of what is learnt."""
    for name, given in gradient.items():
        first[name] = 0.9 * first[name] + 0.1 * given
        second[name] = 0.99 * second[name] + 0.01 * given * given
        by = first[name] / (1 - 0.9**at) / (jnp.sqrt(second[name] / (1 - 0.99**at)) + 1e-8)
        learnt[name] = learnt[name] - rate[name] * (by + decay.get(name, 0.0) * learnt[name])
    return learnt, first, second


def loss(learnt, state, truth):
    leans = leaning(learnt, state)
    return (jax.nn.softplus(leans) - truth * leans).mean(1).sum()


class Learning:
    def __init__(self, model, claims, arguments):
        self.model, self.claims, self.arguments = model, claims, arguments
        self.members = PARTS + 1  # The last leaves nothing out.
        self.random = np.random.default_rng(arguments.seed)
        self.learnt = begun(self.members, model.width, arguments.units, self.random)
        self.rows = [arguments.rows, max(1, arguments.rows * 2 // 7)]
        self.look = jax.jit(lambda learnt, weights, tokens, last: states(learnt, weights, claims.embedding, tokens, last, model))
        self.step = jax.jit(self.stepped, donate_argnums=(0, 1, 2, 3))

    def behind(self, learnt, rows, apart):
        """States of rows: for all members [members, rows, width]; or, apart, a share for each, where all are alike."""
        found = None
        for bucket, length in enumerate(self.claims.lengths):
            of = np.flatnonzero(self.claims.bucket[rows] == bucket)
            count = 2 * self.rows[bucket] * (self.members if apart else 1)
            for start in range(0, len(of), count):
                some = of[start : start + count]
                full = rows[np.resize(some, count)]
                given = full.reshape(self.members, -1) if apart else np.repeat(full[None], self.members, 0)
                state = np.asarray(self.look(learnt, self.model.weights, *self.claims.padded(given, length)))
                state = state.reshape(1, count, -1) if apart else state
                found = np.zeros((len(state), len(rows), state.shape[-1]), np.float32) if found is None else found
                found[:, some] = state[:, : len(some)]
        return found

    def warm(self, steps):
        """The perceptrons first, by what the untouched model has in mind: then adapters have something to go by."""
        rows = np.arange(len(self.claims.truth))
        state = self.behind(self.learnt, rows, apart=True)[0]
        measured = state[self.claims.measured]
        fixed = dict(mean=jnp.asarray(measured.mean(0)), scale=jnp.asarray(1 / (measured.std(0) + 1e-3)))
        state = jnp.asarray(state)
        heads = {name: self.learnt[name] for name in ("w1", "b1", "w2", "b2")}
        first, second = ({name: jnp.zeros_like(value) for name, value in heads.items()} for _ in range(2))

        @jax.jit
        def step(heads, first, second, at, fade, rows, truth):
            gradient = jax.grad(lambda heads: loss(heads | fixed, state[rows], truth))(heads)
            return adam(heads, first, second, gradient, at, {name: 1e-3 * fade for name in heads}, {"w1": 0.1})

        shares = [self.claims.share * (self.claims.part != without) for without in range(self.members)]
        for at in range(steps):
            drawn = np.stack([self.random.choice(len(share), 192, p=share / share.sum()) for share in shares])
            fade = max(0.05, 1 - at / steps)
            heads, first, second = step(heads, first, second, at + 1.0, fade, drawn, self.claims.truth[drawn])
        self.learnt |= heads
        self.fixed = fixed

    def stepped(self, learnt, first, second, mean, at, fade, weights, tokens, last, truth):
        def of(learnt):
            return loss(learnt | self.fixed, states(learnt, weights, self.claims.embedding, tokens, last, self.model), truth)

        cost, gradient = jax.value_and_grad(of)(learnt)
        taught = ("down", "bias", "up")
        squares = sum((gradient[name].reshape(self.members, -1) ** 2).sum(1) for name in taught)
        for name in taught:  # No member goes further at once than the others.
            cut = jnp.minimum(1, 0.5 / (jnp.sqrt(squares) + 1e-9))
            gradient[name] = gradient[name] * cut.reshape((-1,) + (1,) * (gradient[name].ndim - 1))
        rate = {name: fade * (self.arguments.rate if name in taught else 4e-4) for name in learnt}
        learnt, first, second = adam(learnt, first, second, gradient, at, rate, dict(down=0.02, up=0.02, w1=0.1))
        keep = jnp.minimum(0.995, at / (at + 20))
        return learnt, first, second, jax.tree.map(lambda a, b: keep * a + (1 - keep) * b, mean, learnt), cost

    def learn(self):
        """Gives the mean of what was learnt over the last steps."""
        steps, claims = self.arguments.steps, self.claims
        first, second = (jax.tree.map(jnp.zeros_like, self.learnt) for _ in range(2))
        mean = jax.tree.map(jnp.copy, self.learnt)
        share = [claims.share[claims.bucket == bucket].sum() for bucket in range(2)]
        for at in range(steps):
            bucket = int(self.random.random() * sum(share) > share[0])
            rows = np.stack([claims.drawn(self.random, bucket, self.rows[bucket], without) for without in range(self.members)])
            fade = min(1, (at + 1) / 40) * max(0.02, 1 - at / steps)
            given = (*claims.padded(rows, claims.lengths[bucket]), claims.truth[rows])
            self.learnt, first, second, mean, cost = self.step(self.learnt, first, second, mean, at + 1.0, fade, self.model.weights, *given)
            if (at + 1) % max(1, steps // 8) == 0:
                say(f"step {at + 1} of {steps}: a member loses {float(cost) / self.members:.3f}")
        return mean


# --- the record ---


def rounded(rows):
    """Rows as bytes, and the scale of each."""
    scales = np.abs(rows).max(-1) / 127 + 1e-12
    return np.round(rows / scales[..., None]).astype(np.int8), scales.astype("<f4")


def as_bytes_say(learnt):
    """What is learnt, as a catalog has it: what is measured is what its bytes say."""
    said = dict(learnt)
    for name, turned in (("down", (0, 1, 3, 2)), ("up", (0, 1, 2, 3)), ("w1", (0, 2, 1))):
        numbers, scales = rounded(np.asarray(learnt[name]).transpose(turned))
        said[name] = jnp.asarray((numbers * scales[..., None]).transpose(np.argsort(turned)), jnp.float32)
    return said


def text(numbers):
    return base64.b64encode(np.ascontiguousarray(numbers).tobytes()).decode()


def auc(scores, truth):
    _, place, times = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[place]  # Ties share theirs.
    count = truth.sum()
    return (ranks[truth > 0].sum() - count * (count + 1) / 2) / (count * (len(truth) - count))


def record(learnt, fixed, left_out, truth, units):
    """A catalog's record of the last member, measured by what the others say of claims that they were not shown."""
    last = {name: np.asarray(value)[-1] for name, value in learnt.items()}
    mean, scale = np.asarray(fixed["mean"]), np.asarray(fixed["scale"])
    adapters, adapter_scales = rounded(np.concatenate([last["down"].transpose(0, 2, 1), last["up"]], 1))
    weights, unit_scales = rounded(last["w1"].T)
    biases = last["b1"] - (weights * unit_scales[:, None]) @ (mean * scale)
    quantile = lambda scores, share: np.sort(scores)[int((len(scores) - 1) * share + 0.5)]
    bounds = sorted([quantile(left_out[truth > 0], BOUND), quantile(left_out[truth == 0], 1 - BOUND)])
    told = dict(auc=auc(left_out, truth), supports=bounds[1], rejects=bounds[0])
    return {name: round(float(figure), 4) for name, figure in told.items()} | {
        "layers": LAYERS, "read": 1, "bias": float(last["b2"]),
        "units": np.stack([biases, last["w2"], unit_scales], 1).astype(float).tolist(),
        "scales": text(scale.astype("<f4")), "weights": text(weights),
        "adapters": {
            "layers": LAYERS - 1, "units": units, "weights": text(adapters), "scales": text(adapter_scales),
            "biases": text(last["bias"].astype("<f4")),
        },
    }


def shared(given):
    path, equals, share = given.rpartition("=")
    if not equals or not float(share) > 0:
        raise argparse.ArgumentTypeError(f"{given} is no file with a share, such as tuning.jsonl=.22")
    return path, float(share)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a GGUF file")
    parser.add_argument("files", nargs="+", type=shared, metavar="FILE=SHARE", help="questions, and their share of what is learnt from")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the record is written")
    parser.add_argument("--steps", type=int, default=3861)
    parser.add_argument("--rows", type=int, default=28, help="short claims of a step, a member")
    parser.add_argument("--units", type=int, default=4, help="units before each layer, 8 at most")
    parser.add_argument("--rate", type=float, default=1e-3, help="how far a step goes")
    parser.add_argument("--warm", type=int, default=1500, metavar="STEPS", help="steps of the perceptrons alone")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    files = [(path, float(share)) for path, share in arguments.files]
    model = Model(arguments.model, jnp.bfloat16 if jax.default_backend() == "gpu" else jnp.float32)
    claims = Claims(files, model)
    say(f"{len(claims.truth)} claims, of which {len(claims.measured)} are measured by; on {jax.devices()}")
    learning = Learning(model, claims, arguments)
    learning.warm(arguments.warm)
    say("perceptrons learnt from the untouched model")
    learnt = as_bytes_say(learning.learn())
    measured = claims.measured
    leans = np.asarray(leaning(learnt | learning.fixed, jnp.asarray(learning.behind(learnt, measured, apart=False))))
    truth, parts = claims.truth[measured], claims.part[measured]
    for part in range(PARTS):
        of = parts == part
        say(f"part {part} left out: {of.sum()} claims, AUC {auc(leans[part][of], truth[of]):.4f}")
    sound = [part for part in range(PARTS) if leans[part].std() > 0.05]
    if len(sound) < PARTS or leans[PARTS].std() <= 0.05:
        say("learnt nothing: members", [member for member in range(PARTS + 1) if leans[member].std() <= 0.05])
    if not sound or leans[PARTS].std() <= 0.05:
        raise SystemExit("no record is written: take shorter steps (--rate)")
    counted = np.isin(parts, sound)
    left_out = leans[parts, np.arange(len(measured))]
    with open(arguments.out, "w", encoding="utf-8") as out:
        json.dump(record(learnt, learning.fixed, left_out[counted], truth[counted], arguments.units), out, indent=1)
    say("written to", arguments.out)


BEGUN = time.monotonic()
main()
