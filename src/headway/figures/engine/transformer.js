// The course's models in the browser: a translator and a language model with a cache, and a masked
// model, which needs none, on the weights that torch trained. Names of weights are those of the models' state dicts, and a configuration
// is that of headway.models, as JSON.
//
// The first two read by `feed`: a state and new ids in, another state and the logits after the last id
// out. A state holds keys and values of all that was read, and is never changed: two beams that go
// on from one share it.
import { attend, keysValuesOf, queriesOf, turned } from "./attention.js";
import { activation, add, layerNorm, linear, rmsNorm, rowOf, unpack } from "./tensors.js";

// What of a configuration the engine does not know it refuses, rather than compute something else.
function check(config) {
  const known = {
    norm: ["pre", "post"],
    position: ["none", "learned", "hybrid", "sinusoidal", "rotary"],
  };
  for (const [name, values] of Object.entries(known)) {
    if (!values.includes(config[name])) {
      throw new RangeError(`${name} ${config[name]} is not one of ${values.join(", ")}`);
    }
  }
  if (config.head_norm || config.head_width) {
    throw new RangeError("heads of a width of their own, or with norms, are not known here");
  }
  if (config.parallel || config.score_cap || config.logit_cap) {
    throw new RangeError("parallel blocks and soft caps are not known here");
  }
  if (config.experts) throw new RangeError("mixtures of experts are not known here");
  const usual = config.pairs === "interleaved" && config.rotary_share === 1 && !config.scaling;
  if (config.position === "rotary" && !usual) {
    throw new RangeError("rotary positions are known here for whole heads of neighboring pairs");
  }
  if (config.window) throw new RangeError("attention within a window is not known here");
}

// The position vector of place p: sine and cosine of p ω in turn, ω from 1 down to 1/10,000.
function sinusoid(p, width) {
  return Float32Array.from({ length: width }, (_, c) => {
    const angle = p * 10_000 ** (-(c - (c % 2)) / width);
    return c % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

// The parts of a model on its unpacked weights.
function partsOf(config, weights) {
  check(config);
  const { width, heads, epsilon, base } = config;
  const rms = config.normalization === "rms";
  const shared = config.key_value_heads ?? heads;
  const act = activation(config.activation);
  const layer = (name) => ({ weight: weights[`${name}.weight`], bias: weights[`${name}.bias`] });
  const attention = (name) => ({
    ...{ heads, shared, width },
    ...{ qkv: layer(`${name}.qkv`), output: layer(`${name}.output`) },
  });
  const normed = (rows, name) => {
    const { weight, bias } = layer(name);
    if (!weight) return rows;
    return rms ? rmsNorm(rows, weight, epsilon) : layerNorm(rows, weight, bias, epsilon);
  };

  // The way around one sub-layer f, with its norm before f or after the sum.
  function around(x, name, f) {
    if (config.norm === "pre") return add(x, f(normed(x, `${name}.norm`)));
    return normed(add(x, f(x)), `${name}.norm`);
  }

  function feedForward(rows, name) {
    const { weight, bias } = layer(`${name}.expand`);
    const made = linear(rows, weight, bias); // with a gate, its numbers come before the others
    const hidden = made.map((row) => {
      if (!config.gated) return row.map(act);
      const M = row.length / 2;
      return row.subarray(0, M).map((gate, i) => act(gate) * row[M + i]);
    });
    const { weight: back, bias: shift } = layer(`${name}.contract`);
    return { hidden, update: linear(hidden, back, shift) };
  }

  // Ids at the places from `offset` on → embeddings, positions and their sum, each (T, C).
  function input(ids, table, side, offset) {
    if (offset + ids.length > config.context) {
      throw new RangeError(`${offset + ids.length} tokens; the model reads ${config.context}`);
    }
    const scale = config.scaled ? Math.sqrt(width) : 1;
    const embeddings = ids.map((id) => rowOf(table, id).map((x) => x * scale));
    const positions = ids.map((_, t) => {
      if (["none", "rotary"].includes(config.position)) return new Float32Array(width);
      if (config.position === "sinusoidal") return sinusoid(offset + t, width);
      return rowOf(weights[`${side}input.position.table`], offset + t);
    });
    return { embeddings, positions, x: normed(add(embeddings, positions), `${side}input.norm`) };
  }

  // One block: new rows x (T, C) after those whose keys and values are `past`. With a `memory`
  // (its keys and values) cross-attention stands between the other two sub-layers. What was seen on
  // the way: what each sub-layer computed, and `stream`, the rows before and after each of them.
  function block(x, name, { causal = false, past = { keys: [], values: [] }, memory } = {}) {
    const seen = {};
    const first = around(x, `${name}.attention_residual`, (rows) => {
      const part = attention(`${name}.attention`);
      const turn = (made) =>
        config.position === "rotary" ? turned(made, width / heads, past.keys.length, base) : made;
      const queries = turn(queriesOf(rows, part));
      const fresh = keysValuesOf(rows, part);
      fresh.keys = turn(fresh.keys);
      const held = {
        keys: [...past.keys, ...fresh.keys],
        values: [...past.values, ...fresh.values],
      };
      seen.attention = { queries, ...held, ...attend(queries, held, part, causal) };
      return seen.attention.update;
    });
    const second = memory
      ? around(first, `${name}.cross_residual`, (rows) => {
          const part = attention(`${name}.cross_attention`);
          const queries = queriesOf(rows, part);
          seen.cross = { queries, ...memory, ...attend(queries, memory, part) };
          return seen.cross.update;
        })
      : first;
    seen.x = around(second, `${name}.feed_forward_residual`, (rows) => {
      seen.feedForward = feedForward(rows, `${name}.feed_forward`);
      return seen.feedForward.update;
    });
    seen.stream = memory ? [x, first, second, seen.x] : [x, first, seen.x];
    return seen;
  }

  // Blocks one after the other, `given(i)` to the one of number i, and the norm behind them.
  function stack(x, side, count, given) {
    const blocks = [];
    for (let i = 0; i < count; i++) {
      blocks.push(block(blocks.at(-1)?.x ?? x, `${side}stack.blocks.${i}`, given(i)));
    }
    return { blocks, x: normed(blocks.at(-1)?.x ?? x, `${side}stack.norm`) };
  }

  function predict(rows) {
    const table = config.tied ? weights["embedding.weight"] : weights["output.weight"];
    return linear(rows, table, weights.output_bias);
  }

  return { attention, input, stack, predict };
}

// Reads new ids with the blocks of one side, and scores what follows the last of them.
function reader(parts, config, weights, side, count) {
  return function feed(state, ids) {
    const read = parts.input(ids, weights["embedding.weight"], side, state.ids.length);
    const given = (i) => ({ causal: true, past: state.cache[i], memory: state.memory?.[i] });
    const { blocks, x } = parts.stack(read.x, side, count, given);
    const cache = blocks.map(({ attention: { keys, values } }) => ({ keys, values }));
    const [logits] = parts.predict(x.slice(-1));
    return {
      state: { ...state, ids: [...state.ids, ...ids], cache },
      logits,
      seen: { input: read, blocks, x },
    };
  };
}

// A translator: `begin` encodes the ids of a source (with its end), `feed` reads target ids.
// begin → { state, seen: { input, blocks, memory } }; feed → { state, logits, seen }.
export function translator({ config, ...packed }) {
  const weights = unpack(packed);
  const parts = partsOf(config, weights);
  const depth = config.decoder_layers ?? config.layers;
  const table = weights["source_embedding.weight"] ?? weights["embedding.weight"];
  return {
    config,
    begin(source) {
      const read = parts.input(source, table, "encoder.", 0);
      const { blocks, x } = parts.stack(read.x, "encoder.", config.layers, () => ({}));
      const memory = Array.from({ length: depth }, (_, i) =>
        keysValuesOf(x, parts.attention(`decoder.stack.blocks.${i}.cross_attention`)),
      );
      return { state: { ids: [], cache: [], memory }, seen: { input: read, blocks, memory: x } };
    },
    feed: reader(parts, config, weights, "decoder.", depth),
  };
}

// A language model: the decoder alone. `begin` needs nothing, `feed` as for a translator.
export function languageModel({ config, ...packed }) {
  const weights = unpack(packed);
  const parts = partsOf(config, weights);
  return {
    config,
    begin: () => ({ state: { ids: [], cache: [] } }),
    feed: reader(parts, config, weights, "", config.layers),
  };
}

// A masked model with the head that fills in words: every token sees the whole text.
// fill(ids) → { logits: [T], scores of all words at each place, seen }.
export function maskedModel({ config, ...packed }) {
  if (config.segments) throw new RangeError("segments are not known here");
  const weights = unpack(packed);
  const parts = partsOf(config, weights);
  return {
    config,
    fill(ids) {
      const read = parts.input(ids, weights["embedding.weight"], "", 0);
      const { blocks, x } = parts.stack(read.x, "", config.layers, () => ({}));
      return { logits: parts.predict(x), seen: { input: read, blocks, x } };
    },
  };
}
