# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# For gdb: the elements of global arrays of XcalableMP programs by their global indices, however they are
# distributed. gdb -x FILE, or in gdb: source FILE. See the debugging section of xmpcc(1).

# One more subscript: $arg0. $_xmp_at becomes the place, in elements, from the array's biased base. Subscripts
# of all kinds of dimensions become local ones by the same formula, which changes nothing where a dimension is
# not cyclic: its cycle is {0, 1, 1, 0}.
define _xmp_subscript
  set $_xmp_g = (long long)($arg0)
  set $_xmp_t = $_xmp_g + $_xmp_d->cycle[$_xmp_k].shift
  set $_xmp_w = $_xmp_d->cycle[$_xmp_k].width
  set $_xmp_r = $_xmp_d->cycle[$_xmp_k].round
  set $_xmp_l = $_xmp_t / $_xmp_r * $_xmp_w + $_xmp_t % $_xmp_w
  set $_xmp_from = $_xmp_d->low[$_xmp_k]
  if $_xmp_l < $_xmp_from || $_xmp_l >= $_xmp_from + $_xmp_d->ld[$_xmp_k]
    set $_xmp_here = 0
  end
  if $_xmp_r > 1
    set $_xmp_in = ($_xmp_t - $_xmp_d->cycle[$_xmp_k].first) % $_xmp_r
    if $_xmp_in < 0
      set $_xmp_in = $_xmp_in + $_xmp_r
    end
    if $_xmp_in >= $_xmp_w || $_xmp_t < 0
      set $_xmp_here = 0
    end
  end
  if $_xmp_r > 1 && ($_xmp_g < 0 || $_xmp_g >= $_xmp_d->extent[$_xmp_k])
    set $_xmp_here = 0
  end
  set $_xmp_at = $_xmp_at * $_xmp_d->ld[$_xmp_k] + $_xmp_l
  set $_xmp_k = $_xmp_k + 1
end
document _xmp_subscript
Part of the command xmp.
end

define xmp
  if $argc < 2
    echo xmp ARRAY SUBSCRIPT...: the element of a global array\n
  else
    set $_xmp_d = _xmp_d_$arg0
    set $_xmp_k = 0
    set $_xmp_at = 0
    set $_xmp_here = 1
    set $_xmp_dims = 0
    if $_xmp_d != 0
      while $_xmp_dims < 7 && $_xmp_d->extent[$_xmp_dims] != 0
        set $_xmp_dims = $_xmp_dims + 1
      end
    end
    if $_xmp_dims == 0
      echo $arg0 has no memory yet\n
    else
      if $_xmp_dims != $argc - 1
        printf "$arg0: %d dimensions, and %d given\n", $_xmp_dims, $argc - 1
      else
        _xmp_subscript $arg1
        if $argc > 2
          _xmp_subscript $arg2
        end
        if $argc > 3
          _xmp_subscript $arg3
        end
        if $argc > 4
          _xmp_subscript $arg4
        end
        if $argc > 5
          _xmp_subscript $arg5
        end
        if $argc > 6
          _xmp_subscript $arg6
        end
        if $argc > 7
          _xmp_subscript $arg7
        end
        if $_xmp_here
          print ((_xmp_t_$arg0 *)$_xmp_d->biased)[$_xmp_at]
        else
          echo the element is on another node, or beyond the array\n
        end
      end
    end
  end
end
document xmp
Prints an element of a global array of an XcalableMP program: xmp ARRAY SUBSCRIPT...
The subscripts are global indices, without blanks within them, as in: xmp a 5 j+1
It works on the node that has the element, also in its shadow.
end
