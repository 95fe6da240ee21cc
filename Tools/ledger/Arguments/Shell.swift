/// A shell that can complete command lines.
///
/// The scripts hold no command's name: they hand the words to `ledger --complete` and offer what it
/// answers.
enum Shell: String, ChoiceValue {
  case bash, zsh, fish

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// Bash splits words at `=` and `:` and replaces only what follows the last of them, so what it
  /// keeps of the word is taken off each candidate.
  private static let bashScript = #"""
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

    """#

  private static let zshScript = #"""
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

    """#

  private static let fishScript = #"""
    # Completion of ledger for fish. Use: ledger completion fish | source
    function __ledger_complete
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      for line in ($words[1] --complete $words[2..-1] $current 2>/dev/null)
        switch $line
          case :file
            __fish_complete_path $current
          case :dir
            __fish_complete_directories $current
          case '*'
            echo -- $line
        end
      end
    end
    complete -c ledger -f -a '(__ledger_complete)'

    """#
}
