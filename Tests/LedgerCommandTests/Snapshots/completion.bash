# Completion of ledger for bash. Use: source <(ledger completion bash)
_ledger() {
  local line typed candidate
  typed=${COMP_LINE:0:COMP_POINT}
  typed=${typed##*[[:space:]]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o default ;;
      :dir) compopt -o dirnames ;;
      *)
        candidate=${line%%$'\t'*}
        COMPREPLY+=("${candidate#"${typed%"${typed##*[=:]}"}"}")
        ;;
    esac
  done < <("${1/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _ledger ledger
