# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Makes manual pages. Reads what headers.awk printed, then sources of pages; writes them below the directory
# `out`. Run by man/generate with man/synopsis.awk and man/text.awk; the form of sources is in
# man/calls/README.md.

BEGIN { FS = "\t"; WIDTH = 72 }
FILENAME == declared {
  if (!($1 in kind) || kind[$1] == "d") { kind[$1] = $2; text[$1] = $3; value[$1] = $4 }
  next
}
failed { exit 1 }
FNR == 1 && (in_example || in_given) { stop("the file before has an example without @end") }
in_given { if ($0 == "@example") in_given = 0; else next }
in_example {
  if ($0 == "@end") { body(".fi\n.RE"); in_example = 0 }
  else body(verbatim($0))
  next
}
/^@/ { directive($0); next }
section == "" && !/^\.SH / { if ($0 != "") stop("text before .SH"); synopsis = synopsis "\n"; next }
{ body(prose($0)) }
END {
  if (in_example || in_given) stop("an example without @end")
  if (!failed) { finish(); overviews() }
  if (failed) exit 1
}

function stop(why) { print "man/pages.awk: " FILENAME ":" FNR ": " why >"/dev/stderr"; failed = 1; exit 1 }
# A paragraph's mark is kept back until something follows that needs it.
function body(line) {
  if (line == ".PP") { paragraph = 1; return }
  if (paragraph && line !~ /^\.(S[HS]|TP)/ && last !~ /^\.S[HS]/) page_body = page_body ".PP\n"
  paragraph = 0
  last = line
  page_body = page_body line "\n"
}

function directive(line,   word, rest, n, i, w) {
  word = line
  sub(/ .*/, "", word)
  rest = substr(line, length(word) + 2)
  n = split(expand(rest), w, " ")
  if (word == "@page") { finish(); start(w[1], w[2]) }
  else if (page == "") stop("no @page before " word)
  else if (word == "@brief") brief[page] = rest
  else if (word == "@header") for (i = 1; i <= n; i++) header(w[i])
  else if (word == "@let") for (i = 1; i <= n; i++) let(w[i])
  else if (word == "@each") each[w[1]] = substr(expand(rest), length(w[1]) + 2)
  else if (word == "@call") for (i = 1; i <= n; i++) call(w[i])
  else if (word == "@type") for (i = 1; i <= n; i++) type(w[i])
  else if (word == "@show") for (i = 1; i <= n; i++) show(w[i])
  else if (word == "@define") for (i = 1; i <= n; i++) constant(w[i])
  else if (word == "@name") for (i = 1; i <= n; i++) {
    if (w[i] !~ /##/ && !(w[i] in kind)) stop("no header has " w[i])
    link(w[i])
  }
  else if (word == "@alias") for (i = 1; i <= n; i++) link(w[i])
  else if (word == "@directive") for (i = 1; i <= n; i++) { link(w[i]); title(w[i]) }
  else if (word == "@events") events(w[1])
  else if (word == "@fortran") fortran(n, w)
  else if (word == "@text") synopsis = synopsis prose(rest) "\n"
  else if (word == "@given") in_given = 1
  else if (word == "@example") { body(".PP"); body(".RS 4\n.nf"); in_example = 1 }
  else if (word == "@use") use(w[1])
  else if (word == "@pages") pages(expand(rest))
  else if (word == "@see") see = see " " expand(rest)
  else stop("no such directive: " word)
}

function start(name, sect,   k) {
  page = name
  section_of[page] = sect
  section = synopsis = page_body = see = titles = last = ""
  headers = paragraph = 0
  for (k in each) delete each[k]
  for (k in letter) delete letter[k]
  if (page in linked) stop("another page is named " page ", or has it")
  page_named[page] = 1
  linked[page] = page
}

function header(name) {
  if (name ~ /^gasnet(_vis|_coll|x)?\.h$/ && !headers)
    synopsis = synopsis "#define GASNET_SEQ  /* or GASNET_PARSYNC, GASNET_PAR */\n"
  synopsis = synopsis "#include <" name ">\n"
  headers = 1
}
function let(pair,   at) {
  at = index(pair, "=")
  letter[substr(pair, 1, at - 1)] = substr(pair, at + 1)
  gsub(/~/, " ", letter[substr(pair, 1, at - 1)])
}

# a{b,c}d is abd acd; several braces give all combinations.
function expand(s,   before, inner, after, n, i, alt, out, w, m, j) {
  m = split(s, w, " ")
  out = ""
  for (j = 1; j <= m; j++) out = out (out == "" ? "" : " ") expand_word(w[j])
  return out
}
function expand_word(s,   before, inner, after, n, i, alt, out) {
  if (!match(s, /\{[^{}]*\}/)) return s
  before = substr(s, 1, RSTART - 1)
  inner = substr(s, RSTART + 1, RLENGTH - 2)
  after = substr(s, RSTART + RLENGTH)
  n = split(inner, alt, ",")
  out = ""
  for (i = 1; i <= n; i++) out = out (i == 1 ? "" : " ") expand_word(before alt[i] after)
  return out
}

# ---- names ----

# The page's name for what headers write with ##: letters become what @let says; links are made for what @each
# says.
function generic(s,   k, parts, n, i, out) {
  n = split(s, parts, "##")
  out = ""
  for (i = 1; i <= n; i++) out = out ((parts[i] in letter) ? letter[parts[i]] : parts[i])
  return out
}
function link(template,   k, v, n, i) {
  for (k in each) {
    if (("##" template "##") ~ ("##" k "##")) {
      n = split(each[k], v, " ")
      for (i = 1; i <= n; i++) link(replaced(template, k, v[i]))
      return
    }
  }
  gsub(/##/, "", template)
  if (template in linked) {
    if (linked[template] != page) stop(template " is on the page " linked[template] ", too")
    return
  }
  linked[template] = page
}
function replaced(template, k, v,   n, parts, i, out) {
  n = split(template, parts, "##")
  out = ""
  for (i = 1; i <= n; i++) out = out (i == 1 ? "" : "##") (parts[i] == k ? v : parts[i])
  return out
}
function title(name) { titles = titles (titles == "" ? "" : " ") name }

# ---- pages ----

# The list of families comes to the place of the first @pages; others add to it.
function pages(list) {
  if (!(page in families)) {
    overview_at[page] = page_body
    page_body = ""
  }
  families[page] = families[page] " " list
}

function finish(   n, w) {
  if (page == "") return
  if (brief[page] == "") stop(page " has no @brief")
  names[page] = titles == "" ? page : (" " titles " ") ~ (" " page " ") ? titles : page " " titles
  calls[page] = titles
  made_synopsis[page] = synopsis
  made_body[page] = page_body
  made_see[page] = see
  if (!(page in families)) { write_page(page); links(page) }
  else overview_list[++overview_count] = page
  page = ""
}
function overviews(   i, p) {
  for (i = 1; i <= overview_count && !failed; i++) {
    p = overview_list[i]
    made_body[p] = overview_at[p] family_list(families[p]) made_body[p]
    write_page(p)
    links(p)
  }
}
function family_list(list,   n, w, i, out) {
  n = split(list, w, " ")
  out = ""
  for (i = 1; i <= n; i++) {
    if (!(w[i] in page_named)) { print "man/pages.awk: there is no page " w[i] >"/dev/stderr"; failed = 1 }
    out = out ".TP\n\\fB" w[i] "\\fP(" section_of[w[i]] ")\n" brief[w[i]] \
      "\n.br\n" commas(calls[w[i]], "", "") "\n"
  }
  return out
}
function commas(list, before, after,   n, w, i, out) {
  n = split(list, w, " ")
  out = ""
  for (i = 1; i <= n; i++) out = out (i == 1 ? "" : ",\n") before w[i] after
  return out
}
function write_page(p,   file, out, n, w, i) {
  file = out_dir "/man" section_of[p] "/" p "." section_of[p]
  out = ".TH " toupper(p) " " section_of[p] " \"2026\" \"Penstock\" \"Penstock\"\n.nh\n.ad l\n.SH NAME\n" \
    commas(names[p], "", "") " \\- " brief[p] "\n"
  if (made_synopsis[p] != "") out = out ".SH SYNOPSIS\n.nf\n" trimmed(made_synopsis[p]) ".fi\n"
  out = out made_body[p]
  if (made_see[p] != "") {
    n = split(made_see[p], w, " ")
    out = out ".SH SEE ALSO\n"
    for (i = 1; i <= n; i++) out = out prose(w[i]) (i < n ? "," : "") "\n"
  }
  printf "%s", out >file
  close(file)
}
function trimmed(s) {
  sub(/^\n+/, "", s)
  sub(/\n+$/, "\n", s)
  return s
}
function links(p,   name, file) {
  for (name in linked) {
    if (linked[name] != p || name == p) continue
    file = out_dir "/man3/" name ".3"
    print ".so man" section_of[p] "/" p "." section_of[p] >file
    close(file)
  }
}
