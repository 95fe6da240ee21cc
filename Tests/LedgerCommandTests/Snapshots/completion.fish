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
