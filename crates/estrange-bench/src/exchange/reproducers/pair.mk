# `make` compiles both sides, `make reproduce` runs them. `make CC=clang reproduce` does so by clang.

ifeq ($(origin CC),default)
CC := gcc
endif
IS_CLANG := $(findstring clang,$(shell $(CC) --version))
ifeq ($(origin CXX),default)
CXX := $(if $(IS_CLANG),$(subst clang,clang++,$(CC)),$(subst gcc,g++,$(CC)))
endif

BUILD := build-$(notdir $(lastword $(CC)))
ifneq ($(MEMORY),)
SANITIZERS := -fsanitize=memory
INPUT_FLAGS := $(SANITIZERS)
else
SANITIZERS := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
	-ftrivial-auto-var-init=pattern
ifneq ($(IS_CLANG),)
SANITIZERS += -fno-sanitize=function -fsanitize-address-use-after-return=always
else
SANITIZERS += --param=asan-use-after-return=1
endif
endif
# A unit may be a program; ours has `main`.
FLAGS := -Dmain=main_of_the_unit -g -O0 -w -fno-pie -fno-omit-frame-pointer -fno-stack-protector -ffp-contract=off \
	-U_FORTIFY_SOURCE $(SANITIZERS) $(LANGUAGE_FLAGS)
SIDES := vulnerable patched

.PHONY: all reproduce clean

ifeq ($(MEMORY)$(IS_CLANG),yes)
all reproduce:
	@echo "left out: only clang has the memory sanitizer; make CC=clang"
else
all: $(addprefix $(BUILD)/,$(SIDES))

reproduce: all
	@sh reproduce.sh $(BUILD)
endif

define side
$(BUILD)/$(1): $(1)-call.$(ENDING) $(1).$(ENDING) $($(1)_INPUT) Makefile
	@mkdir -p $(BUILD)
	$(CC) -g -O0 -w -fno-pie $(INPUT_FLAGS) -c $($(1)_INPUT) -o $(BUILD)/$(1)-input.o
	$(COMPILER) $(FLAGS) $($(1)_FLAGS) -c $(1)-call.$(ENDING) -o $(BUILD)/$(1)-call.o
	$(COMPILER) -no-pie $(SANITIZERS) $(BUILD)/$(1)-call.o $(BUILD)/$(1)-input.o -lm -o $$@
endef
$(foreach each,$(SIDES),$(eval $(call side,$(each))))

clean:
	rm -rf build-*
