#compdef ledger
# Completion of ledger for zsh. Use: source <(ledger completion zsh)
_ledger() {
  local line word about
  local -a candidates
  while IFS= read -r line; do
    case $line in
      (:file) compset -P '--*='; _files ;;
      (:dir) compset -P '--*='; _files -/ ;;
      (*)
        word=${line%%$'\t'*}
        about=${${line#$word}#$'\t'}
        candidates+=("${word//:/\\:}${about:+:$about}")
        ;;
    esac
  done < <(${~words[1]} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( ${#candidates} )) && _describe -t words 'ledger' candidates
}
compdef _ledger ledger
