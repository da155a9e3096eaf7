"""RWKV-7 in plain torch, which transformers does not have: the formulas of Peng et al. (2025, arXiv 2503.14456).

Names of tensors and of fields are those of the files on the hub (`fla-hub/rwkv7-*`). models.py finds the model by its type,
as those of transformers. One token after the other, nothing fused.
"""

import torch
from torch import nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput


class Rwkv7Config(PreTrainedConfig):
    model_type = "rwkv7"


class LowRank(nn.Module):
    """Two narrow matrices with a function between them."""

    def __init__(self, width, rank, out, function, bias=True):
        super().__init__()
        self.lora = nn.Sequential(nn.Linear(width, rank, bias=False), function, nn.Linear(rank, out, bias=bias))

    def forward(self, x):
        return self.lora(x)


def before(x):
    """The row of the token before each; zeros before the first."""
    return F.pad(x, (0, 0, 1, -1))


class TimeMix(nn.Module):
    def __init__(self, config, first):
        super().__init__()
        hidden, values = config.hidden_size, config.value_dim[0]
        self.heads, self.size = hidden // config.head_dim, config.head_dim
        # What reads what: each a mixture of a token's row and the one before.
        for name in "rwkvag":
            setattr(self, f"x_{name}", nn.Parameter(torch.empty(1, 1, hidden)))
        self.k_k, self.k_a = nn.Parameter(torch.empty(hidden)), nn.Parameter(torch.empty(hidden))
        self.r_k = nn.Parameter(torch.empty(self.heads, self.size))
        self.r_proj, self.k_proj = nn.Linear(hidden, hidden, bias=False), nn.Linear(hidden, hidden, bias=False)
        self.v_proj, self.o_proj = nn.Linear(hidden, values, bias=False), nn.Linear(values, hidden, bias=False)
        self.w_lora = LowRank(hidden, config.decay_low_rank_dim, hidden, nn.Tanh())
        self.a_lora = LowRank(hidden, config.a_low_rank_dim, hidden, nn.Identity())
        self.g_lora = LowRank(hidden, config.gate_low_rank_dim, values, nn.Sigmoid(), bias=False)
        if not first:
            self.v_lora = LowRank(hidden, config.v_low_rank_dim, values, nn.Identity())
        self.g_norm = nn.GroupNorm(self.heads, values, eps=self.size * config.norm_eps)

    def forward(self, x, v_first):
        r, w, k, v, a, g = (x + (before(x) - x) * getattr(self, f"x_{name}") for name in "rwkvag")
        rate, gate = torch.sigmoid(self.a_lora(a)), self.g_lora(g)
        # A state keeps at least exp(-exp(-1/2)) of a row.
        keep = torch.exp(-torch.exp(torch.tensor(-0.5)) * torch.sigmoid(self.w_lora(w)))
        values = self.v_proj(v)
        if v_first is None:
            v_first = values
        else:
            values = values + (v_first - values) * torch.sigmoid(self.v_lora(v))
        receptance, key = self.r_proj(r), self.k_proj(k)
        split = lambda x: x.unflatten(-1, (self.heads, -1))
        removal = F.normalize(split(key * self.k_k), dim=-1)
        key = key * (1 + (rate - 1) * self.k_a)
        receptance, keep, key, rate, values = map(split, (receptance, keep, key, rate, values))
        state = torch.zeros(x.shape[0], self.heads, values.shape[-1], self.size)
        rows = []
        for t in range(x.shape[1]):
            read = torch.einsum("bhpn,bhn->bhp", state, removal[:, t])
            state = state * keep[:, t, :, None]
            state = state - torch.einsum("bhp,bhn->bhpn", read, removal[:, t] * rate[:, t])
            state = state + torch.einsum("bhp,bhn->bhpn", values[:, t], key[:, t])
            rows.append(torch.einsum("bhpn,bhn->bhp", state, receptance[:, t]))
        y = torch.stack(rows, dim=1).flatten(2)
        y = self.g_norm(y.flatten(0, 1)).view_as(y)
        bonus = (receptance * key * self.r_k).sum(-1, keepdim=True) * values
        return self.o_proj((y + bonus.flatten(2)) * gate), v_first


class ChannelMix(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.x_k = nn.Parameter(torch.empty(config.hidden_size))
        self.key = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.value = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x):
        return self.value(torch.relu(self.key(x + (before(x) - x) * self.x_k)) ** 2)


class Block(nn.Module):
    def __init__(self, config, index):
        super().__init__()
        norm = lambda: nn.LayerNorm(config.hidden_size, eps=config.norm_eps, bias=config.norm_bias)
        if config.norm_first and index == 0:
            self.pre_norm = norm()
        self.attn_norm, self.ffn_norm = norm(), norm()
        self.attn, self.ffn = TimeMix(config, index == 0), ChannelMix(config)

    def forward(self, x, v_first):
        x = self.pre_norm(x) if hasattr(self, "pre_norm") else x
        mixed, v_first = self.attn(self.attn_norm(x), v_first)
        x = x + mixed
        return x + self.ffn(self.ffn_norm(x)), v_first


class Rwkv7Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Block(config, index) for index in range(config.num_hidden_layers))
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.norm_eps, bias=config.norm_bias)

    def forward(self, ids):
        x, v_first = self.embeddings(ids), None
        for layer in self.layers:
            x, v_first = layer(x, v_first)
        return self.norm(x)


class RWKV7ForCausalLM(PreTrainedModel):
    config_class = Rwkv7Config

    def __init__(self, config):
        super().__init__(config)
        self.model = Rwkv7Model(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def _init_weights(self, module):
        """Nothing: all values are drawn or read."""

    def forward(self, input_ids, use_cache=False):
        return CausalLMOutput(logits=self.lm_head(self.model(input_ids)))


AutoConfig.register("rwkv7", Rwkv7Config)
AutoModelForCausalLM.register(Rwkv7Config, RWKV7ForCausalLM)
