# Every pair: `make` compiles them, `make reproduce` runs both sides of each. `make CC=clang reproduce` does so by clang.

PAIRS := $(sort $(dir $(wildcard pairs/*/*/Makefile)))
WHAT := all reproduce clean

.PHONY: $(WHAT) $(foreach what,$(WHAT),$(addsuffix $(what),$(PAIRS)))

define each
$(1): $(addsuffix $(1),$(PAIRS))
$(addsuffix $(1),$(PAIRS)):
	@$$(MAKE) --no-print-directory -C $$(dir $$@) $(1)
endef

all:
$(foreach what,$(WHAT),$(eval $(call each,$(what))))
