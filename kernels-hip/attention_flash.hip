// attention_flash.hip -- attention of one sequence's tokens, whose keys and values are in the cache as f16
// or bf16, with heads of a multiple of 16 elements: through matrix registers.
//
// Launch     grid = (tiles of 16 queries by heads that share keys, eight a workgroup; kv_heads). A wave has
//            a tile of one head; the waves of a workgroup read the same pages at about the same time.
// Bound by   matrix products; keys and values are read once for 16 queries of a head
// Numerics   common/flash.h
// archs: gfx

#include "common/flash.h"

template <u32 format, u32 chunks> TY_DEVICE void flash_run(const ty_step &step, TY_LOCAL flash_room<chunks> *room) {
  const phase_ref phase = phase_of(step);
  const attention_ref attention = attention_of(step, phase->kernel);
  const u32 tokens = phase->rows_a_chunk, kv_head = group_y(), sharing = attention->heads / attention->kv_heads;
  const u32 own = group_x() * TY_WAVES + wave_id(), query = own / sharing * TY_TILE;
  if (query >= tokens) return;
  flash<format>(step, attention, query, tokens, kv_head, kv_head * sharing + own % sharing, room);
}

// Heads of 16 * chunks elements.
#define TY_FLASH(name, format, chunks)                                          \
  TY_KERNEL(ty_flash_##name) {                                                  \
    TY_LDS static flash_room<chunks> room;                                      \
    flash_run<format, chunks>(step, (TY_LOCAL flash_room<chunks> *)&room);      \
  }

TY_FLASH(f16_16, TY_F16, 1)
TY_FLASH(f16_32, TY_F16, 2)
TY_FLASH(f16_64, TY_F16, 4)
TY_FLASH(f16_80, TY_F16, 5)
TY_FLASH(f16_96, TY_F16, 6)
TY_FLASH(f16_128, TY_F16, 8)
TY_FLASH(f16_256, TY_F16, 16)
TY_FLASH(bf16_16, TY_BF16, 1)
TY_FLASH(bf16_32, TY_BF16, 2)
TY_FLASH(bf16_64, TY_BF16, 4)
TY_FLASH(bf16_80, TY_BF16, 5)
TY_FLASH(bf16_96, TY_BF16, 6)
TY_FLASH(bf16_128, TY_BF16, 8)
TY_FLASH(bf16_256, TY_BF16, 16)
